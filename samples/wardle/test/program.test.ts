/** The program `wardle-apiserver`, started as a person starts it. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { createClient, loadConfig } from '@tributary/client';
import { sourceFlags } from '../../../packages/server/launcher.js';
import { serverFlagTable } from '../../../packages/server/src/program/flags.ts';
import {
  logShows,
  type StartedProcess,
  startProcess,
  suiteScope,
  type TestScope,
  temporaryDirectory,
} from '../../../test/harness/index.ts';
import type { Refusal } from './refusals.ts';

const PROGRAM = 'wardle-apiserver';
/** For a program that hangs; a busy machine is far from it. */
const RUN_MS_MAX = 120_000;
const bin = join(import.meta.dirname, '..', 'bin', `${PROGRAM}.js`);

function runToEnd(args: readonly string[], cwd: string) {
  return spawnSync(process.execPath, [bin, ...args], {
    cwd,
    encoding: 'utf8',
    timeout: RUN_MS_MAX,
  });
}

async function start(t: TestScope, directory: string, flags: string[]): Promise<StartedProcess> {
  return startProcess(t, {
    name: PROGRAM,
    command: process.execPath,
    args: [bin, '--secure-port=0', `--data-dir=${directory}`, ...flags],
    ready: logShows(/is ready at/),
  });
}

test('--help lists every flag', async (t) => {
  const { status, stdout, stderr } = runToEnd(['--help'], await temporaryDirectory(t));
  assert.equal(status, 0, stderr);
  for (const { name } of serverFlagTable(PROGRAM))
    assert.match(stdout, new RegExp(`^ +--${name} `, 'm'));
  assert.match(stdout, /^Usage: wardle-apiserver \[flags\]$/m);
});

const refused: { args: string[]; says: RegExp }[] = [
  { args: ['--no-such-flag'], says: /Unknown option '--no-such-flag'/ },
  { args: ['flunders'], says: /Unexpected argument 'flunders'/ },
  {
    args: ['--secure-port=many'],
    says: /--secure-port many: must be a port number from 0 to 65535/,
  },
  { args: ['--secure-port=0', '--bind-address=nowhere.invalid'], says: /nowhere\.invalid/ },
  { args: ['--kubeconfig=a'], says: /--kubeconfig a: does not exist/ },
  {
    args: ['--authentication-kubeconfig=a'],
    says: /--authentication-kubeconfig a: does not exist/,
  },
  {
    args: ['--authorization-kubeconfig=a'],
    says: /--authorization-kubeconfig a: does not exist/,
  },
  { args: ['--etcd-servers=http://127.0.0.1:2379'], says: /the etcd engine is not supported yet/ },
  {
    args: ['--storage=etcd://127.0.0.1:2379'],
    says: /--storage etcd:\/\/127\.0\.0\.1:2379: the etcd engine is not supported yet; choose one of memory, sqlite/,
  },
  {
    args: ['--storage=tape'],
    says: /--storage tape: unknown engine; choose one of memory, sqlite/,
  },
  {
    args: ['--tls-cert-file=a'],
    says: /--tls-cert-file and --tls-private-key-file must be set together/,
  },
  { args: ['--tls-cert-file=a', '--tls-private-key-file=b'], says: /ENOENT.*'a'/ },
  { args: ['--client-ca-file=a'], says: /ENOENT.*'a'/ },
  { args: ['--data-dir=/dev/null/x'], says: /ENOTDIR/ },
  { args: ['--group=nodots'], says: /--group nodots: an API group is a DNS name with a dot/ },
];

function assertRefused({ status, stdout, stderr }: Refusal, says: RegExp): void {
  assert.equal(status, 1, stderr);
  assert.match(stderr, says);
  assert.match(stderr, /^wardle-apiserver: .*\nTry wardle-apiserver --help\n$/);
  assert.equal(stdout, '', 'it never says that it is ready');
}

describe('what is refused in words', () => {
  const scope = suiteScope('refusals');
  let refusals: readonly Refusal[] = [];
  before(async () => {
    const script = join(import.meta.dirname, 'refusals.ts');
    const flags = [...sourceFlags(), script, JSON.stringify(refused.map(({ args }) => args))];
    const options = { cwd: await temporaryDirectory(scope), timeout: RUN_MS_MAX };
    const { stdout } = await promisify(execFile)(process.execPath, flags, options);
    refusals = JSON.parse(stdout) as Refusal[];
  });

  for (const [index, { args, says }] of refused.entries()) {
    test(args.join(' '), () => assertRefused(refusals[index] as Refusal, says));
  }
});

test('the program itself refuses with its exit code', async (t) => {
  const [{ args, says } = { args: [], says: /./ }] = refused;
  const { status, stdout, stderr } = runToEnd(args, await temporaryDirectory(t));
  assertRefused({ status: status ?? 0, stdout, stderr }, says);
});

test('--group serves the older name, and --storage sqlite keeps what was there', async (t) => {
  const directory = await temporaryDirectory(t, 'wardle-');
  const flags = ['--group=wardle.k8s.io', '--storage=sqlite'];
  const first = await start(t, directory, flags);
  const use = async <T>(work: (flunders: ReturnType<typeof flundersOf>) => Promise<T>) => {
    const client = createClient(
      await loadConfig({ kubeconfig: join(directory, 'admin.kubeconfig') }),
    );
    try {
      return await work(flundersOf(client));
    } finally {
      await client.close();
    }
  };
  await use((flunders) =>
    flunders.create({ metadata: { name: 'kept' }, spec: { reference: 'pond' } }),
  );
  assert.equal((await first.stop()).code, 0, first.log());
  await start(t, directory, flags);
  const stored = await use((flunders) => flunders.get('kept'));
  assert.equal(stored.apiVersion, 'wardle.k8s.io/v1alpha1');
  assert.deepEqual(stored.spec, { reference: 'pond', referenceType: 'Flunder' });
});

function flundersOf(client: ReturnType<typeof createClient>) {
  const group = 'wardle.k8s.io';
  return client
    .resource({ group, version: 'v1alpha1', plural: 'flunders', namespaced: true })
    .in('default');
}
