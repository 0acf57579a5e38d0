import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Compacted, type Revision } from '@tributary/storage';
import { checkStore, openSqliteStorage } from '@tributary/storage-sqlite';
import { temporaryDirectory } from './temporary-directory.ts';
import { keyOf, put, putMany, told } from './writes.ts';

test('history that is old enough is forgotten by itself', async (t) => {
  const directory = temporaryDirectory(t);
  await using storage = await openSqliteStorage({ directory, history: { keepMs: 500 } });
  const first = await put(storage, 'a', 'one');
  const second = await put(storage, 'a', 'two');
  const written = performance.now();
  assert.equal((await told(storage, first, second)).length, 1);
  let age = 0;
  while ((await storage.stats()).compacted < second) {
    age = performance.now() - written;
    assert.ok(age < 10_000, 'history is never forgotten');
    await delay(10);
  }
  assert.ok(performance.now() - written >= 500, 'history was forgotten early');
  await assert.rejects(told(storage, first, second), Compacted);
  while ((await storage.upkeepStats()).historyBytes > 0) await delay(10);
});

test('history is bounded in bytes, however young', async (t) => {
  const directory = temporaryDirectory(t);
  const bytesMax = 2 * 1024 * 1024;
  await using storage = await openSqliteStorage({ directory, history: { bytesMax } });
  const stop = new AbortController();
  const feed = storage.feed(await storage.currentRevision(), { signal: stop.signal });
  const slow = feed[Symbol.asyncIterator]();
  await slow.next();
  for (let round = 0; round < 12; round += 1) {
    await putMany(storage, 1000, () => `${round}`.repeat(1000).slice(0, 1000));
    const { historyBytes } = await storage.upkeepStats();
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

/**
 * The time between asking and hearing, of requests that come all the time, while everything that
 * the writers replaced is compacted and checkpointed.
 */
test('compaction and checkpoints are done in steps that nobody notices', async (t) => {
  const directory = temporaryDirectory(t);
  const bytesMax = 4 * 1024 * 1024;
  await using storage = await openSqliteStorage({ directory, history: { keepMs: 200, bytesMax } });
  await putMany(storage, 2000);
  let isDone = false;
  let longestMs = 0;
  const asking = async () => {
    while (!isDone) {
      const asked = performance.now();
      await storage.get(keyOf(1));
      longestMs = Math.max(longestMs, performance.now() - asked);
      await delay(1);
    }
  };
  const asker = asking();
  for (let round = 0; round < 6; round += 1) await putMany(storage, 2000);
  isDone = true;
  await asker;
  const stats = await storage.upkeepStats();
  const steps = stats.compactionSteps + stats.checkpoints;
  t.diagnostic(
    `${stats.compactionSteps} steps of compaction and ${stats.checkpoints} checkpoints, ` +
      `${stats.slowSteps} above 20 ms, longest ${stats.longestStepMs.toFixed(1)} ms; ` +
      `longest get under load ${longestMs.toFixed(1)} ms`,
  );
  assert.ok(stats.compactionSteps > 10 && stats.checkpoints > 2, 'there was something to do');
  // Whatever else the machine does delays some of them.
  assert.ok(stats.slowSteps <= steps * 0.1, `${stats.slowSteps} of ${steps} steps were slow`);
  await storage.close();
  assert.deepEqual((await checkStore(directory)).findings, []);
});

test('a revision that readers still need stays readable to the end of its history', async (t) => {
  await using storage = await openSqliteStorage({ directory: temporaryDirectory(t) });
  const revisions: Revision[] = [];
  for (let at = 0; at < 300; at += 1) revisions.push(await put(storage, `${at % 3}`, `${at}`));
  const middle = revisions[150] as Revision;
  await storage.compact(middle);
  await delay(300);
  assert.equal((await told(storage, middle, revisions.at(-1) as Revision)).length, 149);
});
