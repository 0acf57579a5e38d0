/** `npm start`: a control plane with a sample behind its aggregator, as a separate process. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startArguments } from '../scripts/start.ts';
import {
  anyKubectl,
  defer,
  eventually,
  httpsStream,
  type Kubectl,
  missingMessage,
  runSource,
  type StartedProcess,
  type StreamResponse,
  skipOrFail,
  startProcess,
  type TestScope,
  temporaryDirectory,
} from './harness/index.ts';

const root = join(import.meta.dirname, '..');
const main = join(root, 'packages/cli/src/main.ts');
/** From sources, on a busy machine. */
const AVAILABLE_MS_MAX = 60_000;

const commandLines: { given: string[]; want: string[] }[] = [
  { given: [], want: ['up', '--sample=wardle'] },
  { given: ['--secure-port', '0'], want: ['up', '--sample=wardle', '--secure-port', '0'] },
  { given: ['--sample=none'], want: ['up', '--sample=none'] },
  { given: ['--sample', 'none'], want: ['up', '--sample', 'none'] },
];
for (const { given, want } of commandLines) {
  test(`npm start ${given.join(' ')} runs tributary ${want.join(' ')}`, () => {
    assert.deepEqual(startArguments(given), want);
  });
}

const refused: { name: string; args: string[]; why: RegExp }[] = [
  { name: 'a sample that there is not', args: ['--sample=flunder'], why: /there are: wardle/ },
  {
    name: 'one that nothing leads to',
    args: ['--sample=wardle', '--allow-loopback-endpoints=false'],
    why: /--sample needs --allow-loopback-endpoints/,
  },
  {
    name: 'one behind a cluster IP',
    args: ['--sample=wardle', '--enable-aggregator-routing=false'],
    why: /--sample needs --enable-aggregator-routing/,
  },
];
for (const { name, args, why } of refused) {
  test(`refused: ${name}`, async (t) => {
    const data = await temporaryDirectory(t);
    const { command, args: all } = upCommand(data, args);
    const { status, stderr } = spawnSync(command, all, { encoding: 'utf8', timeout: 120_000 });
    assert.equal(status, 1, stderr);
    assert.match(stderr, why);
  });
}

test('npm start serves a sample, restarts it when it dies, and stops it with the control plane', async (t) => {
  const kubectl = await anyKubectl();
  if (kubectl === undefined) return skipOrFail(t, missingMessage('kubectl'));
  const data = await temporaryDirectory(t);
  const up = await startUp(t, data);
  const k = kubectlFor(kubectl, data);
  const readyAt = up.log().indexOf('is ready at');
  assert.ok(readyAt >= 0 && readyAt < up.log().indexOf('[wardle] is available'));
  assert.match(up.log(), /Its kubeconfig is .*Try:\n( {2}kubectl .*\n)+The sample wardle/);

  // The commands that the output suggests.
  const [, create = ''] = /kubectl \S+ \S+ (create -f \S+)$/m.exec(up.log()) ?? [];
  await k(...create.split(' ').map((word) => (word.includes('/') ? join(root, word) : word)));
  assert.match(await k('get', 'flunders'), /my-first-flunder\s+another-flunder/);

  const first = { pid: sampleOf(up), port: await portOf(k) };
  process.kill(first.pid, 'SIGKILL');
  await up.waitForLog(
    /^\[wardle\] was ended by SIGKILL; it is started again in 0\.5 s\n[\s\S]*^\[wardle\] is available/m,
    AVAILABLE_MS_MAX,
  );
  const second = { pid: sampleOf(up), port: await portOf(k) };
  assert.notEqual(second.pid, first.pid);
  assert.notEqual(second.port, first.port, 'a new port, which requests follow');
  assert.match(await k('get', 'flunders', '-o', 'name'), /my-first-flunder/);
  const versions = await installedVersions(k);

  process.kill(up.pid, 'SIGTERM');
  assert.deepEqual(await up.exited, { code: 0, signal: null });
  assert.ok(!isRunning(second.pid), 'the sample ends before the control plane');
  const log = readFileSync(join(data, 'logs', 'wardle.log'), 'utf8');
  assert.match(log, /^wardle-apiserver is stopping$/m, 'stopped with SIGTERM, not killed');
  assert.equal([...log.matchAll(/^wardle-apiserver is ready at/gm)].length, 2);

  await startUp(t, data);
  assert.match(await k('get', 'flunders', '-o', 'name'), /my-first-flunder/);
  assert.deepEqual(await installedVersions(k), versions, 'installed objects are unchanged');
});

test('kill -9 leaves no orphan, even while another process reads its output', async (t) => {
  const data = await temporaryDirectory(t);
  const up = await startUp(t, data);
  const pid = sampleOf(up);
  await using watch = await watchDirectly(data);
  assert.equal(watch.status, 200);
  defer(t, () => {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  });
  process.kill(up.pid, 'SIGKILL');
  await eventually('the sample has ended, too', () => !isRunning(pid));
});

/** Watches at the sample itself, as the administrator. */
async function watchDirectly(data: string): Promise<StreamResponse> {
  const read = (...path: string[]) => readFileSync(join(data, ...path), 'utf8');
  const [, url] = /is ready at (https:\S+)/.exec(read('logs', 'wardle.log')) ?? [];
  return httpsStream(`${url}/apis/wardle.example.com/v1beta1/flunders?watch=true`, {
    ca: read('samples', 'wardle', 'pki', 'ca.crt'),
    servername: 'api.wardle.svc',
    cert: read('pki', 'admin.crt'),
    key: read('pki', 'admin.key'),
  });
}

function upCommand(data: string, args: readonly string[]) {
  return runSource(main, ['up', '--secure-port=0', `--data-dir=${data}`, ...args]);
}

async function startUp(t: TestScope, data: string): Promise<StartedProcess> {
  const up = await startProcess(t, {
    ...upCommand(data, ['--sample=wardle']),
    name: 'tributary up --sample=wardle',
    cwd: root,
  });
  await up.waitForLog(/^\[wardle\] is available/m, AVAILABLE_MS_MAX);
  return up;
}

type RunKubectl = (...args: string[]) => Promise<string>;

function kubectlFor(kubectl: Kubectl, data: string): RunKubectl {
  return async (...args) => {
    const kubeconfig = join(data, 'admin.kubeconfig');
    const { code, stdout, stderr } = await kubectl.run(args, { kubeconfig });
    assert.equal(code, 0, `kubectl ${args.join(' ')}: ${stderr}`);
    return stdout;
  };
}

/** The current process. */
function sampleOf({ pid }: StartedProcess): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  assert.match(children, /^\d+$/, 'exactly one');
  return Number(children);
}

/** A zombie counts as ended. */
function isRunning(pid: number): boolean {
  if (!existsSync(`/proc/${pid}/stat`)) return false;
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false; // ended between the two reads
  }
}

async function portOf(k: RunKubectl): Promise<string> {
  return k('get', 'endpointslices', '-n', 'wardle', 'api', '-o', 'jsonpath={.ports[0].port}');
}

/** Everything except the endpoint, whose port changes, and the conditions, which the aggregator writes. */
async function installedVersions(k: RunKubectl): Promise<readonly string[]> {
  const format = 'jsonpath={.metadata.resourceVersion} {.metadata.generation}';
  const named = [
    ['namespace', 'wardle'],
    ['serviceaccount', 'apiserver', '-n', 'wardle'],
    ['service', 'api', '-n', 'wardle'],
    ['clusterrole', 'wardle.example.com:apiserver'],
    ['clusterrolebinding', 'wardle.example.com:apiserver'],
    ['clusterrolebinding', 'wardle.example.com:auth-delegator'],
    ['rolebinding', 'wardle.example.com:auth-reader', '-n', 'kube-system'],
  ];
  const specs = ['v1beta1', 'v1alpha1'].map((version) =>
    k('get', 'apiservice', `${version}.wardle.example.com`, '-o', 'jsonpath={.spec}'),
  );
  return Promise.all([...named.map((args) => k('get', ...args, '-o', format)), ...specs]);
}
