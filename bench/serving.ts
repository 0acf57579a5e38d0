import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  logShows,
  type StartedProcess,
  startProcess,
  type TestScope,
  temporaryDirectory,
} from '../test/harness/index.ts';
import { type Benchmark, median } from './benchmark.ts';
import { type Load, type LoadResult, type LoadTarget, loadHttp1 } from './http-load.ts';
import { loadHttp2 } from './http2-load.ts';
import { cpuSeconds } from './process-cost.ts';

const OBJECTS = 1000;
/** The memory layout of a process differs from run to run, and changes the cost of a request by a tenth. */
const PROCESSES = 3;
const ROUNDS = 3;
const ROUND_MS = 2000;
/** Servers run for weeks, so compilation in the first seconds is excluded. */
const WARM_UP_MS = 5000;
const GET_PATH = '/apis/wardle.example.com/v1beta1/namespaces/bench/flunders/object-0000';
const LIST_PATH = '/apis/wardle.example.com/v1beta1/namespaces/bench/flunders?resourceVersion=0';

export const serving: Benchmark = {
  name: 'serving',
  question:
    'the cost of the request path, against a bare Node HTTPS server that sends the same bytes',
  measure: async (scope) => {
    const rounds = new Map<Case, Round[]>(CASES.map((one) => [one, []]));
    for (let number = 0; number < PROCESSES; number += 1) {
      const ours = await startWardle(scope);
      await createObjects(ours.target(GET_PATH));
      const bare = await startBare(scope, ours);
      for (const [one, all] of rounds) all.push(...(await compare(one, { ours, bare })));
      for (const { stop } of [ours, bare]) await stop();
    }
    return [...rounds].map(([{ title }, all]) => describe(title, all));
  },
};

interface Case {
  readonly title: string;
  readonly path: string;
  readonly send: (target: LoadTarget, load: Load) => Promise<LoadResult>;
  readonly connections: number;
}

const LIST = `LIST, ${OBJECTS} × 1 KB`;
const CASES: readonly Case[] = [
  { title: 'GET, 1 KB, HTTP/2', path: GET_PATH, send: loadHttp2, connections: 3 },
  { title: 'GET, 1 KB, HTTP/1.1', path: GET_PATH, send: loadHttp1, connections: 32 },
  { title: `${LIST}, HTTP/2`, path: LIST_PATH, send: loadHttp2, connections: 1 },
  { title: `${LIST}, HTTP/1.1`, path: LIST_PATH, send: loadHttp1, connections: 4 },
];

/** The figures of our server in one round, and the ratio to the other server in the same round. */
interface Round {
  readonly wall: number;
  readonly cpu: number;
  readonly rate: number;
  readonly cost: number;
}

interface Contender {
  readonly pid: number;
  target(path: string): LoadTarget;
  stop(): Promise<unknown>;
}

/** Applies the same load to each in turn. Requests per second of the server's CPU do not depend on the client. */
async function compare(
  one: Case,
  { ours, bare }: { ours: Contender; bare: Contender },
): Promise<Round[]> {
  for (const contender of [bare, ours]) await loadOn(contender, one, WARM_UP_MS);
  const rounds: Round[] = [];
  for (let number = 0; number < ROUNDS; number += 1) {
    const theirs = await loadOn(bare, one, ROUND_MS);
    const mine = await loadOn(ours, one, ROUND_MS);
    rounds.push({
      wall: mine.perSecond / theirs.perSecond,
      cpu: mine.perCpuSecond / theirs.perCpuSecond,
      rate: mine.perSecond,
      cost: 1e6 / mine.perCpuSecond,
    });
  }
  return rounds;
}

async function loadOn({ pid, target }: Contender, one: Case, forMs: number) {
  const before = cpuSeconds(pid);
  const { connections } = one;
  const { requests, seconds } = await one.send(target(one.path), { connections, forMs });
  return { perSecond: requests / seconds, perCpuSecond: requests / (cpuSeconds(pid) - before) };
}

/** The median of all rounds, and that of each process in parentheses. */
function describe(title: string, rounds: readonly Round[]): string {
  const figure = (key: keyof Round, of = rounds) => median(of.map((round) => round[key]));
  const each = Array.from({ length: PROCESSES }, (_, number) =>
    figure('wall', rounds.slice(number * ROUNDS, (number + 1) * ROUNDS)).toFixed(2),
  );
  const ratios = `${figure('wall').toFixed(2)}× bare per second (${each.join(', ')}), ${figure('cpu').toFixed(2)}× bare per CPU-second`;
  return `${title}: ${figure('rate').toFixed(0)}/s at ${figure('cost').toFixed(0)} µs of CPU, ${ratios}`;
}

async function startWardle(scope: TestScope): Promise<Contender> {
  const directory = await temporaryDirectory(scope, 'bench-wardle-');
  const root = join(import.meta.dirname, '..');
  const server = await startProcess(scope, {
    name: 'wardle',
    command: process.execPath,
    args: [
      join(root, 'samples/wardle/bin/wardle-apiserver.js'),
      '--secure-port=0',
      `--data-dir=${directory}`,
      `--audit-policy-file=${await writePolicy(directory)}`,
      `--audit-log-path=${join(directory, 'audit.log')}`,
    ],
    ready: logShows(/is ready at/),
  });
  const port = await portOf(server, /is ready at https:\/\/[^:]+:(\d+)/);
  const read = (name: string) => readFile(join(directory, 'pki', name), 'utf8');
  const [ca, cert, key] = await Promise.all([read('ca.crt'), read('admin.crt'), read('admin.key')]);
  return { pid: server.pid, target: (path) => ({ port, ca, cert, key, path }), stop: server.stop };
}

/** An audit policy that writes two lines per request, as operators use it. */
async function writePolicy(directory: string): Promise<string> {
  const file = join(directory, 'audit-policy.json');
  const policy = { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level: 'Metadata' }] };
  await writeFile(file, JSON.stringify(policy));
  return file;
}

/** Serves the same bytes as our server, without any of its logic. */
async function startBare(scope: TestScope, ours: Contender): Promise<Contender> {
  const directory = await temporaryDirectory(scope, 'bench-bare-');
  const bodies: Record<string, string> = {};
  for (const path of [GET_PATH, LIST_PATH]) bodies[path] = await fetchText(ours.target(path));
  const bodyFile = join(directory, 'bodies.json');
  await writeFile(bodyFile, JSON.stringify(bodies));
  const pki = await import('@tributary/server/pki');
  const authority = await pki.createAuthority('bench');
  const pair = await authority.issue({
    commonName: 'localhost',
    names: ['127.0.0.1'],
    usage: 'server',
  });
  const files = [join(directory, 'tls.crt'), join(directory, 'tls.key')] as const;
  await writeFile(files[0], pair.cert);
  await writeFile(files[1], pair.key);
  const server = await startProcess(scope, {
    name: 'bare',
    command: process.execPath,
    args: [
      '--disable-warning=ExperimentalWarning',
      join(import.meta.dirname, 'bare-server.ts'),
      ...files,
      bodyFile,
    ],
    ready: logShows(/listening on/),
  });
  const port = await portOf(server, /listening on (\d+)/);
  const { cert, key } = ours.target('');
  return {
    pid: server.pid,
    target: (path) => ({ port, ca: authority.cert, cert, key, path }),
    stop: server.stop,
  };
}

async function createObjects(target: LoadTarget): Promise<void> {
  const { httpsSession } = await import('./https-session.ts');
  await using session = await httpsSession(target);
  const path = '/apis/wardle.example.com/v1beta1/namespaces/bench/flunders';
  for (let index = 0; index < OBJECTS; index += 1) {
    const name = `object-${String(index).padStart(4, '0')}`;
    const metadata = { name, annotations: { filler: 'x'.repeat(600) } };
    await session.post(path, {
      metadata,
      spec: { flunderReference: 'another', referenceType: 'Flunder' },
    });
  }
}

async function fetchText(target: LoadTarget): Promise<string> {
  const { httpsSession } = await import('./https-session.ts');
  await using session = await httpsSession(target);
  return await session.get(target.path);
}

async function portOf(server: StartedProcess, pattern: RegExp): Promise<number> {
  return Number((await server.waitForLog(pattern))[1]);
}
