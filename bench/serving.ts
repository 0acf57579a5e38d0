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
const ROUNDS = 5;
/** Servers run for weeks: what is compiled in the first seconds is no part of what a request costs. */
const WARM_UP_MS = 6000;
const GET_PATH = '/apis/wardle.example.com/v1beta1/namespaces/bench/flunders/object-0000';
const LIST_PATH = '/apis/wardle.example.com/v1beta1/namespaces/bench/flunders?resourceVersion=0';

export const serving: Benchmark = {
  name: 'serving',
  question:
    'what the request path costs, against a bare Node HTTPS server that answers the same bytes',
  measure: async (scope) => {
    const ours = await startWardle(scope);
    await createObjects(ours.target(GET_PATH));
    const bare = await startBare(scope, ours);
    const contest = { ours, bare, forMs: 3000 };
    const list = `LIST, ${OBJECTS} × 1 KB`;
    return [
      await compare('GET, 1 KB, HTTP/2', GET_PATH, { ...contest, send: loadHttp2, connections: 3 }),
      await compare('GET, 1 KB, HTTP/1.1', GET_PATH, {
        ...contest,
        send: loadHttp1,
        connections: 32,
      }),
      await compare(`${list}, HTTP/2`, LIST_PATH, { ...contest, send: loadHttp2, connections: 1 }),
      await compare(`${list}, HTTP/1.1`, LIST_PATH, {
        ...contest,
        send: loadHttp1,
        connections: 4,
      }),
    ];
  },
};

interface Contender {
  readonly pid: number;
  target(path: string): LoadTarget;
}

interface Contest extends Load {
  readonly ours: Contender;
  readonly bare: Contender;
  readonly send: (target: LoadTarget, load: Load) => Promise<LoadResult>;
}

/** The same load on each in turn; requests per second of the server's CPU do not depend on the client. */
async function compare(title: string, path: string, contest: Contest): Promise<string> {
  const { ours, bare, send } = contest;
  const ratios: { wall: number; cpu: number; rate: number; cost: number }[] = [];
  for (const one of [bare, ours]) await send(one.target(path), { ...contest, forMs: WARM_UP_MS });
  for (let round = 0; round < ROUNDS; round += 1) {
    const theirs = await measureLoad(bare, path, contest);
    const mine = await measureLoad(ours, path, contest);
    ratios.push({
      wall: mine.perSecond / theirs.perSecond,
      cpu: mine.perCpuSecond / theirs.perCpuSecond,
      rate: mine.perSecond,
      cost: 1e6 / mine.perCpuSecond,
    });
  }
  const figure = (key: 'wall' | 'cpu' | 'rate' | 'cost') =>
    median(ratios.map((ratio) => ratio[key]));
  return `${title}: ${figure('rate').toFixed(0)}/s at ${figure('cost').toFixed(0)} µs of CPU, ${figure('wall').toFixed(2)}× bare per second, ${figure('cpu').toFixed(2)}× bare per CPU-second`;
}

async function measureLoad({ pid, target }: Contender, path: string, load: Contest) {
  const before = cpuSeconds(pid);
  const { requests, seconds } = await load.send(target(path), load);
  return { perSecond: requests / seconds, perCpuSecond: requests / (cpuSeconds(pid) - before) };
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
  return { pid: server.pid, target: (path) => ({ port, ca, cert, key, path }) };
}

/** Every request leaves two lines, as operators have it. */
async function writePolicy(directory: string): Promise<string> {
  const file = join(directory, 'audit-policy.json');
  const policy = { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level: 'Metadata' }] };
  await writeFile(file, JSON.stringify(policy));
  return file;
}

/** Answers what ours answers, byte for byte, without knowing why. */
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
  return { pid: server.pid, target: (path) => ({ port, ca: authority.cert, cert, key, path }) };
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
