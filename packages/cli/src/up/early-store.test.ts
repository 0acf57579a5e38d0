import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStorage } from '@tributary/storage-sqlite';
import { defer, temporaryDirectory } from '../../../../test/harness/index.ts';
import { openStoreEarly } from './early-store.ts';

const program = join(import.meta.dirname, '../../bin/tributary.js');

const unwanted: readonly { name: string; args(directory: string): readonly string[] }[] = [
  { name: 'a directory that is not there', args: (dir) => ['--data-dir', join(dir, 'none')] },
  { name: 'help', args: (dir) => [`--data-dir=${dir}`, '--help'] },
  { name: 'help in short', args: (dir) => ['-h', `--data-dir=${dir}`] },
  { name: 'another engine', args: (dir) => [`--data-dir=${dir}`, '--storage=memory'] },
  {
    name: 'a directory that is named first, and not last',
    args: (dir) => ['--data-dir', dir, `--data-dir=${dir}/none`],
  },
];
for (const { name, args } of unwanted) {
  test(`nothing is opened for ${name}`, async (t) => {
    const directory = await temporaryDirectory(t);
    assert.equal(openStoreEarly(args(directory)), undefined);
    assert.deepEqual(readdirSync(directory), []);
  });
}

const wanted: readonly { name: string; args(directory: string): readonly string[] }[] = [
  { name: 'with an equals sign', args: (dir) => ['--secure-port=0', `--data-dir=${dir}`] },
  { name: 'as a word of its own', args: (dir) => ['--data-dir', dir, '--secure-port', '0'] },
  { name: 'last', args: (dir) => ['--data-dir=/none', '--storage', 'sqlite', `--data-dir=${dir}`] },
];
for (const { name, args } of wanted) {
  test(`the store of a directory that is named ${name} is opened, and is whole`, async (t) => {
    const dataDir = await temporaryDirectory(t);
    const early = openStoreEarly(args(dataDir));
    assert.equal(early?.dataDir, dataDir);
    await using storage = await openStorage(early);
    const written = await storage.commit({
      require: [],
      writes: [{ kind: 'put', key: '/registry/a', value: Buffer.from('{}') }],
    });
    assert.equal(written.outcome, 'written');
  });
}

test('a start that is refused leaves the store to the next one', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const args = ['up', '--data-dir', dataDir, '--service-cluster-ip-range=nonsense'];
  const { status, stderr } = spawnSync(process.execPath, [program, ...args], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  assert.equal(status, 1, stderr);
  assert.match(stderr, /--service-cluster-ip-range/);
  assert.ok(existsSync(dataDir));
  const storage = await openStorage({ dataDir });
  defer(t, () => storage.close());
});
