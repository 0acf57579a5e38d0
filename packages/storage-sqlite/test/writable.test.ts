import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { StorageUnavailable } from '@tributary/storage';
import { WritableCheck } from '../src/engine/writable.ts';
import { startUnder } from './other-process.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const hasMounts = spawnSync('unshare', ['-rm', 'true']).status === 0;
const skip = hasMounts
  ? false
  : 'SKIPPED: install util-linux and allow user namespaces (unshare -rm)';

const disks = [
  { name: 'a disk without room', options: 'size=512k', says: /the disk of \S+ is full: ENOSPC/ },
  { name: 'a read-only disk', options: 'ro', says: /the disk of \S+ is read-only: EROFS/ },
  { name: 'a disk with room', options: 'size=8m', says: /^writable$/m },
];
for (const { name, options, says } of disks) {
  test(`checkWritable detects ${name}`, { skip }, async (t) => {
    const directory = temporaryDirectory(t);
    const mount = `mount -t tmpfs -o ${options} tmpfs "$1" && shift && exec "$@"`;
    const command = ['unshare', '-rm', 'sh', '-c', mount, 'sh', directory] as const;
    const run = startUnder([...command], 'check-writable.ts', [directory]);
    await run.exited;
    assert.match(run.output, says);
  });
}

test('checkWritable reads the disk again only after a while, and leaves no file', (t) => {
  let nowMs = 0;
  const directory = join(temporaryDirectory(t), 'missing');
  const clock = { nowMs: () => nowMs, schedule: () => () => {} };
  const check = new WritableCheck(directory, clock);
  assert.throws(() => check.check(), StorageUnavailable);
  mkdirSync(directory);
  nowMs = 4_000;
  assert.throws(() => check.check(), StorageUnavailable, 'the result is recent');
  nowMs = 5_000;
  check.check();
  assert.deepEqual(readdirSync(directory), []);
});
