/**
 * Commits to a store and writes one line to the file `acks` for each commit that is acknowledged:
 * `acknowledge.ts DIRECTORY [early]`. With `early` it does not wait for the commit.
 */
import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteStorage } from '@tributary/storage-sqlite';
import { eventually } from '../harness/index.ts';

const WRITERS = 6;
const COMMITS_EACH = 40;
const KEYS = 20;
/** History is compacted in between, and twice every writer waits until the idle store has checkpointed its log. */
const COMPACT_AT = [10, 25];
const IDLE_AT = [15, 30];

const [directory = '', mode = ''] = process.argv.slice(2);
const acks = openSync(join(directory, 'acks'), 'a');
const storage = await openSqliteStorage({ directory });

/** The writers that have arrived at each idle point. */
const arrived = IDLE_AT.map(() => ({ count: 0, checkpointed: Promise.withResolvers<void>() }));

/** Returns when all writers have arrived and the store has checkpointed what they wrote. */
async function idle(point: number): Promise<void> {
  const barrier = arrived[point];
  if (barrier === undefined) return;
  barrier.count += 1;
  if (barrier.count === WRITERS) {
    const before = (await storage.maintenanceStats()).checkpoints;
    await eventually(
      'the idle store checkpoints its log',
      async () => (await storage.maintenanceStats()).checkpoints > before,
    );
    barrier.checkpointed.resolve();
  }
  await barrier.checkpointed.promise;
}

async function write(writer: number): Promise<void> {
  for (let at = 0; at < COMMITS_EACH; at += 1) {
    const number = writer * COMMITS_EACH + at;
    const key = `key-${number % KEYS}`;
    // Up to two pages long; its mark is at the start, where it cannot be cut in two.
    const value = Buffer.from(`<<${number}>>${'.'.repeat((number * 397) % 8000)}`);
    const committed = storage.commit({ require: [], writes: [{ kind: 'put', key, value }] });
    if (mode !== 'early') await committed;
    writeSync(acks, `${number}\n`);
    await committed;
    if (writer === 0 && COMPACT_AT.includes(at)) {
      await storage.compact(await storage.currentRevision());
    }
    if (IDLE_AT.includes(at)) await idle(IDLE_AT.indexOf(at));
  }
}

await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
await storage.close();
