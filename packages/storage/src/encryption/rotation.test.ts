/** What is on disk before and after: the files of a real store, read byte by byte. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSqliteStorage, type SqliteStorage } from '@tributary/storage-sqlite';
import { temporaryDirectory } from '../../../../test/harness/index.ts';
import { aesgcm, encrypted, identity, key1, key2, put, SECRETS, secretsWith } from './fixture.test.ts';
import { rewriteStale, scanForStale } from './rewrite-stale.ts';

const MARKER = 'MARKER-of-a-secret';
const OLD_KEY = 'k8s:enc:aesgcm:v1:key1:';
const COUNT = 400;

test('after a rotation no file holds plain text or a value under the old key', async (t) => {
  const directory = await temporaryDirectory(t);
  const walk = { prefixes: [SECRETS] };
  let engine = await openSqliteStorage({ directory });
  await fill(engine);
  await engine.close();
  assert.ok((await occurrences(directory, MARKER)) >= COUNT, 'the plain text can be found at first');

  engine = await openSqliteStorage({ directory });
  const storage = encrypted(engine, aesgcm(key1), identity);
  await storage.compact((await rewriteStale(storage, walk)).revision);
  await forgotten(engine);
  await engine.backup(join(directory, 'backup-1.db'));
  await storage.reloadEncryption(secretsWith(aesgcm(key1, key2)));
  await storage.close();
  assert.equal(await occurrences(directory, MARKER), 0, 'plain text');
  assert.ok((await occurrences(directory, OLD_KEY)) >= COUNT, 'the first key can be found');

  engine = await openSqliteStorage({ directory });
  const rotated = encrypted(engine, aesgcm(key2, key1));
  const { revision, rewritten } = await rewriteStale(rotated, walk);
  assert.equal(rewritten, COUNT);
  await rotated.compact(revision);
  await forgotten(engine);
  await rotated.reloadEncryption(secretsWith(aesgcm(key2)));
  assert.deepEqual(await scanForStale(rotated, walk), {
    scanned: COUNT,
    stale: 0,
    unreadable: 0,
    forms: new Map([['aesgcm:key2', COUNT]]),
  });
  for (const { value } of (await rotated.list(SECRETS)).items) {
    assert.ok(Buffer.from(value).includes(MARKER));
  }
  await engine.backup(join(directory, 'backup-2.db'));
  await rotated.close();
  assert.equal(await occurrences(directory, MARKER), 0, 'plain text');
  assert.equal(await occurrences(directory, OLD_KEY, { except: 'backup-1.db' }), 0, 'the first key');
});

/** Values of all sizes: in a page with others, in several pages, replaced and deleted. */
async function fill(engine: SqliteStorage): Promise<void> {
  for (let at = 0; at < COUNT + 50; at += 1) {
    const key = `${SECRETS}${String(at).padStart(5, '0')}`;
    await put(engine, key, `an earlier value ${MARKER} ${at}`);
    await put(engine, key, `${MARKER} ${at} `.repeat(at % 10 === 0 ? 1000 : 3));
    if (at >= COUNT) {
      await engine.commit({ require: [], writes: [{ kind: 'delete', key }] });
    }
  }
}

/** Compaction forgets at once and deletes little by little. */
async function forgotten(engine: SqliteStorage): Promise<void> {
  const end = performance.now() + 20_000;
  while ((await engine.upkeepStats()).historyBytes > 0) {
    assert.ok(performance.now() < end, 'history is not deleted');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function occurrences(
  directory: string,
  text: string,
  { except }: { except?: string } = {},
): Promise<number> {
  let count = 0;
  for (const name of await readdir(directory)) {
    if (name === except) continue;
    const bytes = await readFile(join(directory, name));
    for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) count += 1;
  }
  return count;
}
