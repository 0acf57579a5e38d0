/** A complete control plane for tests: real TLS, a memory store unless the test passes one. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@tributary/client';
import type { Logger } from '@tributary/server';
import { openMemoryStorage, type Storage } from '@tributary/storage';
import { eventually as eventuallySeen } from '../../../test/harness/index.ts';
import type { CoreServerConfig, RunningCoreServer } from '../src/assembly/core-config.ts';
import { startCoreServer } from '../src/assembly/start-core-server.ts';
import { serviceAccountKeys } from '../src/authentication/index.ts';
import { type ControlPlanePki, controlPlanePki } from '../src/pki/index.ts';

export interface TestCore extends AsyncDisposable {
  readonly server: RunningCoreServer;
  readonly pki: ControlPlanePki;
  readonly directory: string;
  /** Over TLS, as an administrator. */
  readonly admin: Client;
  /** Over TLS, with a token. */
  withToken(token: string): Client;
  /** Errors that the server logged. */
  readonly problems: readonly string[];
}

interface TestCoreOptions {
  readonly storage?: Storage;
  /** The directory of an earlier server, to reuse its certificates. */
  readonly directory?: string;
  readonly config?: Partial<Omit<CoreServerConfig, 'server'>>;
  readonly server?: Partial<CoreServerConfig['server']>;
}

export async function startTestCore(options: TestCoreOptions = {}): Promise<TestCore> {
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), 'core-')));
  const storage = options.storage ?? openMemoryStorage();
  const pki = await controlPlanePki(directory, { nowMs: Date.now() });
  const problems: string[] = [];
  const server = await startCoreServer({
    log: collectingLog(problems),
    servingCa: pki.servingCa,
    serviceAccounts: {
      keys: serviceAccountKeys({ signingKey: pki.serviceAccount.key }),
      issuers: ['https://kubernetes.default.svc'],
    },
    serviceRange: '10.0.0.0/24',
    ...options.config,
    server: {
      storage,
      serving: pki.serving,
      clientCa: pki.clientCa,
      requestHeader: { ca: pki.frontProxyCa, names: { allowedNames: ['front-proxy-client'] } },
      reportBug: (error) => problems.push(String(error)),
      ...options.server,
    },
  });
  const place = { server: server.url, ca: { pem: pki.servingCa }, namespace: 'default' };
  const { cert, key } = pki.admin;
  const clients: Client[] = [];
  const open = (identity: Parameters<typeof createClient>[0]['identity']) => {
    const client = createClient({ ...place, identity }, { userAgent: 'test' });
    clients.push(client);
    return client;
  };
  return {
    server,
    pki,
    directory,
    problems,
    admin: open({ certificate: { certificate: { pem: cert }, key: { pem: key } } }),
    withToken: (token) => open({ authorization: { kind: 'token', token } }),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(clients.map((client) => client.close()));
      await server.close();
      if (options.storage === undefined) await storage.close();
      if (options.directory === undefined) await rm(directory, { recursive: true, force: true });
    },
  };
}

export function collectingLog(problems: string[]): Logger {
  return {
    verbosity: 0,
    info() {},
    verbose() {},
    error: (problem, message, fields) =>
      problems.push(`${message} ${JSON.stringify(fields ?? {})}: ${String(problem)}`),
    linesDropped: 0,
    get movedMs() {
      return Date.now();
    },
    flush: async () => {},
    close: async () => {},
  };
}

/** Less than the resync interval of controllers, which must not hide a missing notification. */
const TIMEOUT_MS = 20_000;

/** Polls until the condition holds, and fails with the last value. */
export async function eventually<T>(
  read: () => Promise<T>,
  isRight: (value: T) => boolean,
  withinMs = TIMEOUT_MS,
): Promise<T> {
  let last: T | undefined;
  const { value } = await eventuallySeen(
    () => `it stays ${JSON.stringify(last)}`,
    async () => {
      last = await read();
      return isRight(last) && { value: last };
    },
    { withinMs },
  );
  return value;
}
