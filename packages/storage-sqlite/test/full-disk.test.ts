import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { startUnder } from './other-process.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** A small disk of its own, which disappears with the process. */
const MOUNT = 'mount -t tmpfs -o size=6m tmpfs "$1" && shift && exec "$@"';
const hasMounts = spawnSync('unshare', ['-rm', 'true']).status === 0;

test('a full disk fails commits, damages nothing, and commits succeed again when there is room', {
  skip: hasMounts ? false : 'SKIPPED: install util-linux and allow user namespaces (unshare -rm)',
}, async (t) => {
  const directory = temporaryDirectory(t);
  const command = ['unshare', '-rm', 'sh', '-c', MOUNT, 'sh', directory] as const;
  const run = startUnder([...command], 'fill-disk.ts', [directory]);
  await run.exited;
  t.diagnostic(run.output.trim());
  assert.match(run.output, /^all is well: .*/m, run.output);
});
