/** Bytes on disk before and after a rotation: reads the files of a real store. */
import assert from 'node:assert/strict';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openSqliteStorage, type SqliteStorage } from '@tributary/storage-sqlite';
import { eventually, temporaryDirectory } from '../../../../test/harness/index.ts';
import {
  aesgcm,
  encrypted,
  identity,
  key1,
  key2,
  put,
  SECRETS,
  secretsWith,
} from '../../test/encryption-fixture.ts';
import type { EncryptedStorage } from './encrypted-storage.ts';
import { rewriteStale, scanForStale } from './rewrite-stale.ts';
import type { ValueForm } from './transformer.ts';

const MARKER = 'MARKER-of-a-secret';
const OLD_KEY = 'k8s:enc:aesgcm:v1:key1:';
const COUNT = 400;

test('a rotation leaves no plain text and nothing under the old key in any file', rotate);

/** From plain text to a key and on to the next, with a search of all files after each step. */
async function rotate(t: TestContext): Promise<void> {
  const directory = await temporaryDirectory(t);
  await fill(directory);
  assert.ok(
    (await occurrences(directory, MARKER)) >= COUNT,
    'the plain text can be found at first',
  );

  let engine = await openSqliteStorage({ directory });
  let storage = encrypted(engine, aesgcm(key1), identity);
  await rewriteAndForget(storage, engine);
  await storage.reloadEncryption(secretsWith(aesgcm(key1)));
  await assertReadable(storage, 'aesgcm:key1');
  await engine.backup(join(directory, 'backup-1.db'));
  await storage.close();
  assert.equal(await occurrences(directory, MARKER), 0, 'plain text');
  assert.ok((await occurrences(directory, OLD_KEY)) >= COUNT, 'the first key can be found');

  engine = await openSqliteStorage({ directory });
  storage = encrypted(engine, aesgcm(key1, key2));
  await storage.reloadEncryption(secretsWith(aesgcm(key2, key1)));
  await rewriteAndForget(storage, engine);
  await storage.reloadEncryption(secretsWith(aesgcm(key2)));
  await assertReadable(storage, 'aesgcm:key2');
  await rm(join(directory, 'backup-1.db'));
  await engine.backup(join(directory, 'backup-2.db'));
  await storage.close();
  assert.equal(await occurrences(directory, MARKER), 0, 'plain text');
  assert.equal(await occurrences(directory, OLD_KEY), 0, 'the first key');
}

async function rewriteAndForget(storage: EncryptedStorage, engine: SqliteStorage): Promise<void> {
  const { revision, rewritten } = await rewriteStale(storage, { prefixes: [SECRETS] });
  assert.equal(rewritten, COUNT);
  await storage.compact(revision);
  // Compaction takes effect at once and deletes in steps.
  await eventually(
    'history is deleted',
    async () => (await engine.maintenanceStats()).historyBytes === 0,
  );
}

async function assertReadable(storage: EncryptedStorage, form: ValueForm): Promise<void> {
  const scan = await scanForStale(storage, { prefixes: [SECRETS] });
  assert.deepEqual(scan.forms, new Map([[form, COUNT]]));
  assert.equal(scan.stale + scan.unreadable, 0);
  for (const { value } of (await storage.list(SECRETS)).items) {
    assert.ok(Buffer.from(value).includes(MARKER));
  }
}

/** SQLite rewrites the whole file. No server may run on it. */
/** Values of all sizes, in plain text, some of them replaced and some deleted. */
async function fill(directory: string): Promise<void> {
  const engine = await openSqliteStorage({ directory });
  for (let at = 0; at < COUNT + 50; at += 1) {
    const key = `${SECRETS}${String(at).padStart(5, '0')}`;
    await put(engine, key, `an earlier value ${MARKER} ${at}`);
    await put(engine, key, `${MARKER} ${at} `.repeat(at % 10 === 0 ? 1000 : 3));
    if (at >= COUNT) await engine.commit({ require: [], writes: [{ kind: 'delete', key }] });
  }
  await engine.close();
}

/** In all files of the directory: the database, its log, backups. */
async function occurrences(directory: string, text: string): Promise<number> {
  let count = 0;
  for (const name of await readdir(directory)) {
    const bytes = await readFile(join(directory, name));
    for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) count += 1;
  }
  return count;
}
