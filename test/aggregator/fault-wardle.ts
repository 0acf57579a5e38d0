/** A server behind the aggregator that dies, freezes, is replaced by something else, and comes back where it was. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Authority,
  eventually,
  httpsRequest,
  type KeyPair,
  logShows,
  runSource,
  type StartedProcess,
  startProcess,
  type TestScope,
  temporaryDirectory,
} from '../harness/index.ts';
import { createFront } from './fault-front.ts';
import { type Behaviour, startImpostor } from './fault-impostor.ts';
import { type Gateway, must, serverName, servingAuthority } from './gateway-program.ts';
import {
  APISERVICES,
  apiService,
  createNamespace,
  publish,
  untilReason,
} from './registration-objects.ts';

const SAMPLE = join(import.meta.dirname, '..', '..', 'samples', 'wardle', 'src', 'main.ts');
const LISTENING = /is listening at (https:\S+)/;

export interface FaultyWardle {
  /** The same whatever is behind it. */
  readonly port: number;
  readonly authority: Authority;
  /** With the same objects. Resolves when it responds to direct requests. */
  start(options?: { readonly flags?: readonly string[] }): Promise<void>;
  /** In its place, until the next start; with a certificate of another authority where one is given. */
  impersonate(behaviour: Behaviour, certificateOf?: Authority): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  kill(): Promise<void>;
  /** A request that does not pass the aggregator. */
  ask(path: string): Promise<{ readonly status: number; readonly body: string }>;
}

/** Not started yet. */
export async function createFaultyWardle(
  scope: TestScope,
  gateway: Gateway,
  flags: readonly string[] = [],
): Promise<FaultyWardle> {
  const directory = await temporaryDirectory(scope, 'faulty-wardle-');
  const authority = servingAuthority();
  const front = await createFront(scope);
  let running: { readonly process: StartedProcess; readonly port: number } | undefined;

  const kill = async (): Promise<void> => {
    running?.process.kill('SIGKILL');
    await front.close();
    await running?.process.stop();
    running = undefined;
  };
  const run = async (
    more: readonly string[],
  ): Promise<{ process: StartedProcess; port: number }> => {
    const files = await servingFiles(directory, authority);
    const { kubeconfig } = gateway;
    const args = [
      '--secure-port=0',
      '--storage=sqlite',
      `--data-dir=${join(directory, 'data')}`,
      `--tls-cert-file=${files.cert}`,
      `--tls-private-key-file=${files.key}`,
      `--kubeconfig=${kubeconfig}`,
      `--authentication-kubeconfig=${kubeconfig}`,
      `--authorization-kubeconfig=${kubeconfig}`,
      ...flags,
      ...more,
    ];
    const command = runSource(SAMPLE, args);
    const ready = logShows(LISTENING);
    const process = await startProcess(scope, { name: 'wardle', ...command, ready });
    const [, url = ''] = await process.waitForLog(LISTENING);
    return { process, port: Number(new URL(url).port) };
  };
  const wardle: FaultyWardle = {
    port: front.port,
    authority,
    async start({ flags: more } = {}) {
      if (more !== undefined) await kill();
      running ??= await run(more ?? []);
      running.process.kill('SIGCONT');
      await front.leadTo(running.port);
      await untilReady(wardle);
    },
    async impersonate(behaviour, certificateOf = authority) {
      await front.leadTo(await startImpostor(scope, behaviour, certificateFrom(certificateOf)));
    },
    signal: (signal) => running?.process.kill(signal),
    kill,
    ask: (path) =>
      httpsRequest(`https://127.0.0.1:${front.port}${path}`, {
        ...gateway.credentials,
        ca: authority.cert,
        servername: serverName(),
      }),
  };
  return wardle;
}

/** Registered, available, and known with its documents. */
export async function registerFaultyWardle(
  gateway: Gateway,
  { port, authority }: FaultyWardle,
  versions: readonly string[] = ['v1alpha1'],
): Promise<void> {
  await createNamespace(gateway);
  await publish(gateway, [{ port }]);
  for (const version of versions) {
    await must(gateway.send('POST', APISERVICES, apiService({ version, ca: authority.cert })));
    await untilReason(gateway, { version, reason: 'Passed' });
  }
}

function certificateFrom(authority: Authority): KeyPair {
  const names = ['127.0.0.1', serverName()];
  return authority.issue({ commonName: 'wardle', names, usage: 'server' });
}

async function servingFiles(directory: string, authority: Authority) {
  const serving = certificateFrom(authority);
  const cert = join(directory, 'serving.crt');
  const key = join(directory, 'serving.key');
  await writeFile(cert, serving.cert);
  await writeFile(key, serving.key, { mode: 0o600 });
  return { cert, key };
}

async function untilReady(wardle: FaultyWardle): Promise<void> {
  await eventually('wardle is ready', async () => {
    const response = await wardle.ask('/readyz').catch(() => undefined);
    return response?.status === 200;
  });
}
