/**
 * Commits to a store and writes one line to the file `acks` for each commit that is acknowledged:
 * `acknowledge.ts DIRECTORY [early]`. With `early` it does not wait for the commit.
 */
import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSqliteStorage } from '@tributary/storage-sqlite';

const WRITERS = 6;
const COMMITS_EACH = 40;
const KEYS = 20;
/** In the middle of it, history is forgotten, and twice nobody writes for a while. */
const COMPACT_AT = [10, 25];
const IDLE_AT = [15, 30];
const IDLE_MS = 400;

const [directory = '', mode = ''] = process.argv.slice(2);
const acks = openSync(join(directory, 'acks'), 'a');
const storage = await openSqliteStorage({ directory });

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
    if (IDLE_AT.includes(at)) await sleep(IDLE_MS);
  }
}

await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
await storage.close();
