import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Compacted, type Revision } from '@tributary/storage';
import { checkStore, openSqliteStorage } from '@tributary/storage-sqlite';
import { eventually } from '../../../test/harness/index.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { describeEvents, put, putMany } from './writes.ts';

test('history that is old enough is compacted automatically', async (t) => {
  const directory = temporaryDirectory(t);
  await using storage = await openSqliteStorage({ directory, history: { retainMs: 1 } });
  const first = await put(storage, 'a', 'one');
  const second = await put(storage, 'a', 'two');
  await eventually('history is forgotten', async () => (await storage.stats()).compacted >= second);
  await assert.rejects(describeEvents(storage, first, second), Compacted);
  await eventually(
    'its disk space is freed',
    async () => (await storage.maintenanceStats()).historyBytes === 0,
  );
});

test('recent history is bounded in bytes', async (t) => {
  const directory = temporaryDirectory(t);
  const bytesMax = 2 * 1024 * 1024;
  await using storage = await openSqliteStorage({ directory, history: { bytesMax } });
  const stop = new AbortController();
  const feed = storage.feed(await storage.currentRevision(), { signal: stop.signal });
  const slow = feed[Symbol.asyncIterator]();
  await slow.next();
  for (let round = 0; round < 12; round += 1) {
    await putMany(storage, 1000, () => `${round}`.repeat(1000).slice(0, 1000));
    const { historyBytes } = await storage.maintenanceStats();
    assert.ok(historyBytes < 2 * bytesMax, `${historyBytes} bytes of history`);
  }
  const size = statSync(join(directory, 'store.db')).size;
  t.diagnostic(`12 MB were replaced, the database has ${(size / 1e6).toFixed(1)} MB`);
  assert.ok(size < 12e6, 'what is forgotten gives its room back');
  await assert.rejects(async () => {
    for (;;) if ((await slow.next()).done) return;
  }, Compacted);
  stop.abort();
});

test('compaction and checkpoints are done in many steps while others write', async (t) => {
  const directory = temporaryDirectory(t);
  await using storage = await openSqliteStorage({
    directory,
    history: { bytesMax: 4 * 1024 * 1024 },
  });
  for (let round = 0; round < 7; round += 1) await putMany(storage, 2000);
  const { compactionSteps, checkpoints } = await storage.maintenanceStats();
  t.diagnostic(`${compactionSteps} steps of compaction and ${checkpoints} checkpoints`);
  assert.ok(compactionSteps > 10 && checkpoints > 2, 'there was something to do');
  await storage.close();
  assert.deepEqual((await checkStore(directory)).findings, []);
});

test('a revision that readers still need stays readable to the end of its history', async (t) => {
  await using storage = await openSqliteStorage({ directory: temporaryDirectory(t) });
  const revisions: Revision[] = [];
  for (let at = 0; at < 300; at += 1) revisions.push(await put(storage, `${at % 3}`, `${at}`));
  const middle = revisions[150] as Revision;
  await storage.compact(middle);
  // Each round trip is a turn of the worker, and each turn does a step of compaction while there is one to do.
  for (let turn = 0; turn < revisions.length; turn += 1) await storage.maintenanceStats();
  assert.equal((await describeEvents(storage, middle, revisions.at(-1) as Revision)).length, 149);
});
