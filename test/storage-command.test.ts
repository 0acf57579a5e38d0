/** `tributary storage`: backup of a running server, restore under a live informer, check. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createClient, createInformer, loadConfig, type ResourceClient } from '@tributary/client';
import {
  eventually,
  freePort,
  logShows,
  runSource,
  type StartedProcess,
  startProcess,
  temporaryDirectory,
} from './harness/index.ts';

const root = join(import.meta.dirname, '..');

test('after a restore no client sees an old revision, and a live informer has the restored objects', async (t) => {
  const directory = await temporaryDirectory(t, 'storage-command-');
  const port = await freePort();
  const backup = join(directory, 'kept.backup');
  let server = await startWardle(t, directory, port);
  const client = createClient(
    await loadConfig({ kubeconfig: join(directory, 'admin.kubeconfig') }),
  );
  t.after(() => client.close());
  const flunders = client
    .resource({
      group: 'wardle.example.com',
      version: 'v1alpha1',
      plural: 'flunders',
      namespaced: true,
    })
    .in('eu');
  for (const name of ['a', 'b', 'c']) await flunders.create(flunder(name, 'first'));
  const informer = createInformer({ resource: flunders, onError: () => {} });
  t.after(() => informer.close());
  const revisions: number[] = [];
  informer.addHandler({
    onAdd: ({ metadata }) => void revisions.push(Number(metadata.resourceVersion)),
    onUpdate: (_old, { metadata }) => void revisions.push(Number(metadata.resourceVersion)),
  });
  informer.start();
  await informer.whenSynced();

  // The backup is of one moment, while clients write.
  const load = writeUntilStopped(flunders);
  expectSuccess(
    tributary('storage', 'backup', backup, '--data-dir', directory),
    /\d+ keys as of revision \d+/,
  );
  await load.stop();
  expectSuccess(tributary('storage', 'check', '--data-dir', directory), /sound/);
  await flunders.create(flunder('after-the-backup', 'lost'));
  await flunders.delete('b');
  const before = await flunders.list();
  await eventually('the informer has the last one', () =>
    informer.store.get('eu/after-the-backup'),
  );

  const refused = tributary('storage', 'restore', backup, '--data-dir', directory);
  assert.equal(refused.status, 1, 'a running server keeps its store');
  assert.match(refused.stderr, /in use by process \d+/);

  await server.stop();
  expectSuccess(
    tributary('storage', 'restore', backup, '--data-dir', directory),
    /goes on at revision/,
  );
  server = await startWardle(t, directory, port);
  const after = await flunders.list();
  assert.ok(
    Number(after.metadata.resourceVersion) > Number(before.metadata.resourceVersion),
    'the revision continues above every assigned one',
  );
  const restored = after.items.map(({ metadata }) => metadata.name).sort();
  assert.ok(restored.includes('b') && !restored.includes('after-the-backup'));

  await eventually('the informer has the restored objects', () => {
    const held = informer.store
      .list()
      .map(({ metadata }) => metadata.name)
      .sort();
    return JSON.stringify(held) === JSON.stringify(restored);
  });
  const created = await flunders.create(flunder('d', 'new'));
  assert.ok(Number(created.metadata.resourceVersion) > Math.max(...revisions));
  await eventually('the informer has the new one', () => informer.store.get('eu/d'));
  await server.stop();
});

test('a second server on a data directory fails and names the first', async (t) => {
  const directory = await temporaryDirectory(t, 'storage-command-');
  const server = await startWardle(t, directory, 0);
  const { command, args } = wardle(directory, 0);
  const second = spawnSync(command, args, { encoding: 'utf8' });
  assert.equal(second.status, 1);
  assert.match(second.stderr, new RegExp(`in use by process ${server.pid}`));
  assert.doesNotMatch(second.stderr, /^ +at /m, 'no stack for an error of the user');
  await server.stop();
});

test('tributary storage check names the damage and fails', async (t) => {
  const directory = await temporaryDirectory(t, 'storage-command-');
  const server = await startWardle(t, directory, 0);
  await server.stop();
  await truncate(join(directory, 'store.db'), 5000);
  const { status, stdout } = tributary('storage', 'check', '--data-dir', directory);
  assert.equal(status, 1);
  assert.match(stdout, /damaged: /);
});

test('invalid arguments print the help, missing stores one sentence', async (t) => {
  const directory = await temporaryDirectory(t, 'storage-command-');
  const nothing = tributary(
    'storage',
    'backup',
    join(directory, 'x'),
    '--data-dir',
    join(directory, 'none'),
  );
  assert.equal(nothing.status, 1);
  assert.match(nothing.stderr, /there is no store/);
  assert.ok(!existsSync(join(directory, 'x')));
  const unknown = tributary('storage', 'polish');
  assert.notEqual(unknown.status, 0);
  assert.match(unknown.stderr, /Usage: tributary storage/);
});

function startWardle(t: TestContext, directory: string, port: number): Promise<StartedProcess> {
  return startProcess(t, {
    name: 'wardle',
    ...wardle(directory, port),
    ready: logShows(/is ready at/),
  });
}

function wardle(directory: string, port: number): { command: string; args: string[] } {
  const flags = [`--secure-port=${port}`, `--data-dir=${directory}`, '--storage=sqlite'];
  return runSource(join(root, 'samples/wardle/src/main.ts'), flags);
}

function tributary(...args: string[]) {
  const { command, args: all } = runSource(join(root, 'packages/cli/src/main.ts'), args);
  return spawnSync(command, all, { encoding: 'utf8' });
}

function expectSuccess(
  { status, stdout, stderr }: ReturnType<typeof tributary>,
  wanted: RegExp,
): void {
  assert.equal(status, 0, stderr);
  assert.match(stdout, wanted);
}

function flunder(name: string, reference: string) {
  return {
    apiVersion: 'wardle.example.com/v1alpha1',
    kind: 'Flunder',
    metadata: { name },
    spec: { reference },
  };
}

function writeUntilStopped(flunders: ResourceClient): { stop(): Promise<void> } {
  let going = true;
  const writing = (async () => {
    for (let at = 0; going; at += 1) await flunders.create(flunder(`load-${at}`, 'load'));
  })();
  return {
    stop: async () => {
      going = false;
      await writing;
    },
  };
}
