/** A server behind the aggregator that dies, freezes, is replaced by something else, and comes back where it was. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Authority,
  freePort,
  httpsRequest,
  logShows,
  runSource,
  type StartedProcess,
  startProcess,
  type TestScope,
  temporaryDirectory,
} from '../harness/index.ts';
import { type Gateway, must, serverName, servingAuthority } from './gateway-program.ts';
import {
  APISERVICES,
  apiService,
  createNamespace,
  publish,
  untilReason,
} from './registration-objects.ts';

const SAMPLE = join(import.meta.dirname, '..', '..', 'samples', 'wardle', 'src', 'main.ts');
const IMPOSTOR = join(import.meta.dirname, 'fault-impostor.ts');
const AVAILABLE_MS = 5_000;
const START_MS = 20_000;
const POLL_MS = 10;

export type Behaviour = 'garbage' | 'redirecting' | 'endless';

export interface FaultyWardle {
  readonly port: number;
  readonly authority: Authority;
  /** On the same port with the same objects. Returns when it answers whoever asks it directly. */
  start(options?: {
    readonly certificateOf?: Authority;
    readonly flags?: readonly string[];
  }): Promise<void>;
  /** In its place, until the next start. */
  impersonate(behaviour: Behaviour): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  kill(): Promise<void>;
  /** What the present one wrote. */
  log(): string;
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
  const port = await freePort();
  let running: StartedProcess | undefined;

  const kill = async (): Promise<void> => {
    running?.kill('SIGKILL');
    await running?.stop();
    running = undefined;
  };
  const run = async (name: string, command: { command: string; args: string[] }, ready: RegExp) => {
    await kill();
    running = await startProcess(scope, { name, ...command, ready: logShows(ready) });
  };
  const wardle: FaultyWardle = {
    port,
    authority,
    async start({ certificateOf = authority, flags: more = [] } = {}) {
      const files = await servingFiles(directory, certificateOf);
      const { kubeconfig } = gateway;
      const args = [
        `--secure-port=${port}`,
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
      await run('wardle', runSource(SAMPLE, args), /is listening at https:/);
      await untilReady(wardle);
    },
    async impersonate(behaviour) {
      const files = await servingFiles(directory, authority);
      const args = [behaviour, String(port), files.cert, files.key];
      await run(behaviour, runSource(IMPOSTOR, args), /is listening/);
    },
    signal: (signal) => running?.kill(signal),
    kill,
    log: () => running?.log() ?? '',
    ask: (path) =>
      httpsRequest(`https://127.0.0.1:${port}${path}`, {
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
    await untilReason(gateway, { version, reason: 'Passed', withinMs: AVAILABLE_MS });
  }
}

async function servingFiles(directory: string, authority: Authority) {
  const serving = authority.issue({
    commonName: 'wardle',
    names: ['127.0.0.1', serverName()],
    usage: 'server',
  });
  const cert = join(directory, 'serving.crt');
  const key = join(directory, 'serving.key');
  await writeFile(cert, serving.cert);
  await writeFile(key, serving.key, { mode: 0o600 });
  return { cert, key };
}

/** With another certificate nobody who asks directly believes it either: then it is ready when it listens. */
async function untilReady(wardle: FaultyWardle): Promise<void> {
  const deadline = performance.now() + START_MS;
  while (performance.now() < deadline) {
    const answer = await wardle.ask('/readyz').catch(String);
    if (typeof answer !== 'string' ? answer.status === 200 : answer.includes('certificate')) return;
    await sleep(POLL_MS);
  }
  throw new Error(`wardle was not ready within ${START_MS} ms`);
}
