import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { CheckpointThread } from '../src/maintenance/checkpoint-thread.ts';
import { temporaryDirectory } from './temporary-directory.ts';

test('a copy whose thread ends without an error rejects', async (t) => {
  const thread = new CheckpointThread(join(await temporaryDirectory(t), 'store.db'));
  const copying = thread.copy();
  await thread.stop();
  await assert.rejects(copying, /the thread of checkpoints ended with/);
});

test('a copy after a failed one starts a new thread', async (t) => {
  const thread = new CheckpointThread(join(await temporaryDirectory(t), 'store.db'));
  const lost = thread.copy();
  await thread.stop();
  await assert.rejects(lost);
  assert.ok('log' in (await thread.copy()));
  await thread.stop();
});
