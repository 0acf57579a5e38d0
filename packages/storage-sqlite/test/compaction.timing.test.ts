import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSqliteStorage } from '@tributary/storage-sqlite';
import { leastMs } from '../../../test/harness/index.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { keyOf, putMany } from './writes.ts';

/** The share of maintenance steps above 20 ms. Other load of the machine delays some of them. */
const SLOW_PERCENT_MAX = 10;

/** Continuous gets, while the values that the writers replaced are compacted and checkpointed. */
test('compaction and checkpoints hardly delay requests', async (t) => {
  const percent = await leastMs(SLOW_PERCENT_MAX, async () => {
    const directory = temporaryDirectory(t);
    const history = { retainMs: 200, bytesMax: 4 * 1024 * 1024 };
    await using storage = await openSqliteStorage({ directory, history });
    await putMany(storage, 2000);
    let isDone = false;
    let longestMs = 0;
    const asking = async () => {
      while (!isDone) {
        const startedMs = performance.now();
        await storage.get(keyOf(1));
        longestMs = Math.max(longestMs, performance.now() - startedMs);
        await new Promise(setImmediate);
      }
    };
    const asker = asking();
    for (let round = 0; round < 6; round += 1) await putMany(storage, 2000);
    isDone = true;
    await asker;
    const stats = await storage.maintenanceStats();
    t.diagnostic(
      `${stats.compactionSteps} steps of compaction and ${stats.checkpoints} checkpoints, ` +
        `${stats.slowSteps} above 20 ms, longest ${stats.longestStepMs.toFixed(1)} ms; ` +
        `longest get under load ${longestMs.toFixed(1)} ms`,
    );
    return (100 * stats.slowSteps) / (stats.compactionSteps + stats.checkpoints);
  });
  assert.ok(percent < SLOW_PERCENT_MAX, `${percent.toFixed(1)} % of the steps were slow`);
});
