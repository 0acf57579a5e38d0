/** Started by full-disk.test.ts with a directory on a disk of 6 MiB. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StorageUnavailable } from '@tributary/storage';
import { checkStore, openSqliteStorage, StorageDamaged } from '@tributary/storage-sqlite';
import { contents, describeEvents, put } from './writes.ts';

const [directory = ''] = process.argv.slice(2);
const ballast = join(directory, 'ballast');
writeFileSync(ballast, Buffer.alloc(2 * 1024 * 1024));

const storage = await openSqliteStorage({ directory });
const start = await storage.currentRevision();
const written = new Map<string, string>();
const failures: unknown[] = [];

/** Writes until the disk is full, and continues for a while after that. */
async function fill(writer: number): Promise<void> {
  for (let at = 0; failures.length < 40; at += 1) {
    const [key, value] = [`${writer}/${at}`, `${at}`.repeat(300)];
    try {
      written.set(key, `${key}@${await put(storage, key, value)}=${value}`);
    } catch (error) {
      failures.push(error);
    }
  }
}
await Promise.all(Array.from({ length: 8 }, (_, writer) => fill(writer)));

for (const error of failures) {
  assert.ok(error instanceof StorageUnavailable && !(error instanceof StorageDamaged), `${error}`);
  assert.match(`${error}`, /database or disk is full/);
}
async function assertExact(expected: number): Promise<void> {
  assert.equal(await storage.currentRevision(), start + expected, 'no revision was used up');
  assert.deepEqual((await contents(storage)).sort(), [...written.values()].sort());
  const events = await describeEvents(storage, start, await storage.currentRevision());
  assert.equal(events.length, expected, 'the feed tells what was acknowledged and nothing else');
}
const atFull = written.size;
await assertExact(atFull);

rmSync(ballast);
for (let at = 0; at < 50; at += 1) {
  const key = `later/${at}`;
  written.set(key, `${key}@${await put(storage, key, 'there is room')}=there is room`);
}
await assertExact(atFull + 50);
await storage.close();

const report = await checkStore(directory);
assert.deepEqual(report.findings, []);
const again = await openSqliteStorage({ directory });
assert.deepEqual((await contents(again)).sort(), [...written.values()].sort());
await again.close();
console.log(`all is well: ${atFull} commits fitted, ${failures.length} failed, 50 after`);
