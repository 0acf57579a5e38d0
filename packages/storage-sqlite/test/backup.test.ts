import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ABSENT, Compacted, type Revision, StorageUnavailable } from '@tributary/storage';
import {
  backupStore,
  checkStore,
  openSqliteStorage,
  restoreBackup,
  StorageDamaged,
  StorageInUse,
  UnsupportedFormat,
} from '@tributary/storage-sqlite';
import { startProcess } from './other-process.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { contents, describeEvents, keyOf, put, putMany, remove } from './writes.ts';

/** Contents without revisions: a restored store has its own. */
function values(lines: readonly string[]): string[] {
  return lines.map((line) => line.replace(/@\d+=/, '='));
}

test('a backup under load contains exactly the values of its revision', async (t) => {
  const directory = temporaryDirectory(t);
  const file = join(temporaryDirectory(t), 'backup.db');
  await using storage = await openSqliteStorage({ directory });
  await putMany(storage, 5000, (at) => `before ${at}`);
  let isDone = false;
  let commits = 0;
  const writing = async (writer: number) => {
    for (let at = writer; !isDone; at += 8) {
      const key = keyOf((at * 7919) % 5000);
      if (at % 3 === 0 && (await storage.get(key))) {
        await storage.commit({ require: [], writes: [{ kind: 'delete', key }] });
      } else {
        await put(storage, key, `during ${at}`);
      }
      commits += 1;
    }
  };
  const writers = Array.from({ length: 8 }, (_, writer) => writing(writer));
  while (commits < 200) await storage.currentRevision().then(() => storage.get('x'));
  const before = commits;
  const revision = await storage.backup(file);
  t.diagnostic(`${commits - before} commits while it was written`);
  isDone = true;
  await Promise.all(writers);
  assert.ok(commits - before > 20, 'others went on writing');
  const expected = await contents(storage, revision);

  const restored = join(temporaryDirectory(t), 'restored');
  const result = await restoreBackup({ from: file, directory: restored });
  assert.equal(result.backupRevision, revision);
  assert.equal(result.keys, expected.length);
  assert.deepEqual((await checkStore(restored)).findings, []);
  await using copy = await openSqliteStorage({ directory: restored });
  assert.deepEqual(values(await contents(copy)), values(expected));
});

test('after a restore no revision decreases, of the store or of an object', async (t) => {
  const directory = temporaryDirectory(t);
  const file = join(temporaryDirectory(t), 'backup.db');
  const old = await openSqliteStorage({ directory });
  const before = await put(old, 'kept', 'x');
  await old.backup(file);
  const changed = await put(old, 'kept', 'lost');
  await put(old, 'lost', 'lost');
  const last = await remove(old, 'lost');
  await old.close();

  const { revision } = await restoreBackup({ from: file, directory });
  assert.ok(revision > last);
  await using restored = await openSqliteStorage({ directory });
  assert.ok((await restored.currentRevision()) >= revision);
  const page = await restored.list('');
  assert.ok(page.revision >= revision);
  assert.deepEqual(await contents(restored), [`kept@${revision}=x`]);
  for (const older of [before, changed, last, (revision - 1) as Revision]) {
    await assert.rejects(restored.list('', { revision: older }), Compacted);
    await assert.rejects(describeEvents(restored, older, revision), Compacted);
    const stale = { require: [{ key: 'kept', revision: older }], writes: [deleted('kept')] };
    assert.equal((await restored.commit(stale)).outcome, 'conflict');
  }
  const next = await put(restored, 'new', 'x');
  assert.ok(next > revision);
  assert.equal((await describeEvents(restored, revision, next)).length, 1);
});

function deleted(key: string) {
  return { kind: 'delete' as const, key };
}

test('a restore without the old store begins above all revisions that it may have assigned', async (t) => {
  const directory = temporaryDirectory(t);
  const file = join(temporaryDirectory(t), 'backup.db');
  const old = await openSqliteStorage({ directory });
  await old.backup(file);
  await putMany(old, 500, () => 'x');
  const last = await old.currentRevision();
  await old.close();
  const { revision } = await restoreBackup({ from: file, directory: temporaryDirectory(t) });
  assert.ok(revision > last);
});

test('a backup contains the ttl of keys', async (t) => {
  const file = join(temporaryDirectory(t), 'backup.db');
  const old = await openSqliteStorage({ directory: temporaryDirectory(t) });
  await put(old, 'short', 'x', 0.3);
  await put(old, 'long', 'x', 3600);
  await old.backup(file);
  await old.close();
  const directory = temporaryDirectory(t);
  const { revision } = await restoreBackup({ from: file, directory });
  await using restored = await openSqliteStorage({ directory });
  const [event] = await describeEvents(restored, revision, (revision + 1) as Revision);
  assert.match(event ?? '', /short deleted/);
  assert.ok(await restored.get('long'));
});

test('a restore renames the replaced files, also damaged ones', async (t) => {
  const directory = temporaryDirectory(t);
  const file = join(temporaryDirectory(t), 'backup.db');
  const old = await openSqliteStorage({ directory });
  await put(old, 'a', 'x');
  await old.backup(file);
  await old.close();
  const database = join(directory, 'store.db');
  writeFileSync(database, 'garbage');
  await assert.rejects(openSqliteStorage({ directory }), StorageDamaged);
  await restoreBackup({ from: file, directory });
  assert.equal(readFileSync(`${database}.replaced`, 'utf8'), 'garbage');
  await using restored = await openSqliteStorage({ directory });
  assert.equal(await restored.count(''), 1);
});

test('a repeated restore retains the store that the interrupted one replaced', async (t) => {
  const directory = temporaryDirectory(t);
  const file = join(temporaryDirectory(t), 'backup.db');
  const old = await openSqliteStorage({ directory });
  await old.backup(file);
  await old.close();
  const database = join(directory, 'store.db');
  writeFileSync(`${database}.replaced-wal`, 'of a store that was replaced long ago');
  writeFileSync(database, 'lost');
  await restoreBackup({ from: file, directory });
  assert.equal(existsSync(`${database}.replaced-wal`), false, 'no log beside another database');
  // Simulates a restore that was interrupted before its last step.
  for (let time = 0; time < 2; time += 1) {
    writeFileSync(join(directory, 'VERSION'), 'restoring\n');
    await restoreBackup({ from: file, directory });
  }
  assert.equal(readFileSync(`${database}.replaced`, 'utf8'), 'lost');
  await using restored = await openSqliteStorage({ directory });
  assert.equal(await restored.count(''), 0);
});

for (const mode of [0o644, 0o400]) {
  test(`a store from a backup of mode ${mode.toString(8)} is private and can be written`, async (t) => {
    const directory = temporaryDirectory(t);
    const file = join(temporaryDirectory(t), 'backup.db');
    const old = await openSqliteStorage({ directory });
    await old.backup(file);
    await old.close();
    chmodSync(file, mode);
    await restoreBackup({ from: file, directory });
    assert.equal(statSync(join(directory, 'store.db')).mode & 0o777, 0o600);
    await using restored = await openSqliteStorage({ directory });
    await put(restored, 'a', 'x');
  });
}

test('a directory whose restore was interrupted is not opened', async (t) => {
  const directory = temporaryDirectory(t);
  await (await openSqliteStorage({ directory })).close();
  writeFileSync(join(directory, 'VERSION'), 'restoring\n');
  await assert.rejects(openSqliteStorage({ directory }), (error) => {
    assert.ok(error instanceof UnsupportedFormat);
    assert.match(error.message, /was interrupted: run it again/);
    return true;
  });
});

test('an incomplete backup is not restored, and the store is unchanged', async (t) => {
  const directory = temporaryDirectory(t);
  const elsewhere = temporaryDirectory(t);
  const whole = join(elsewhere, 'backup.db');
  const storage = await openSqliteStorage({ directory });
  await putMany(storage, 300);
  await storage.backup(whole);
  await assert.rejects(storage.backup(whole), /exists already/);
  await assert.rejects(restoreBackup({ from: whole, directory }), StorageInUse);
  await storage.close();

  const cut = join(elsewhere, 'cut.db');
  writeFileSync(cut, readFileSync(whole));
  truncateSync(cut, readFileSync(whole).length >> 1);
  const flipped = join(elsewhere, 'flipped.db');
  const bytes = readFileSync(whole);
  bytes[bytes.lastIndexOf('xxxxx')] = 0x79;
  writeFileSync(flipped, bytes);
  const other = join(elsewhere, 'other.db');
  writeFileSync(other, 'not a database at all');
  for (const from of [cut, flipped, other, join(directory, 'store.db')]) {
    await assert.rejects(restoreBackup({ from, directory }), StorageDamaged, from);
  }
  await assert.rejects(
    restoreBackup({ from: join(elsewhere, 'no.db'), directory }),
    StorageUnavailable,
  );
  await using same = await openSqliteStorage({ directory });
  assert.equal(await same.count(''), 300);
});

test('a store that another process has open can be backed up', async (t) => {
  const directory = temporaryDirectory(t);
  const file = join(temporaryDirectory(t), 'backup.db');
  const serving = startProcess('hold-store.ts', [directory, 'write']);
  t.after(() => serving.kill());
  await serving.waitFor('acknowledged 50');
  const { revision, keys } = await backupStore({ directory, file });
  await serving.waitFor(`acknowledged ${revision + 20}`);
  await serving.kill();
  assert.equal(keys, revision - 1, 'every commit up to its revision created a key');
  const restored = temporaryDirectory(t);
  const result = await restoreBackup({ from: file, directory: restored });
  assert.equal(result.backupRevision, revision);
  assert.equal(result.keys, keys);
  await assert.rejects(
    backupStore({ directory: temporaryDirectory(t), file: `${file}-2` }),
    /no store/,
  );
});

test('an aborted backup leaves no file', async (t) => {
  const file = join(temporaryDirectory(t), 'backup.db');
  await using storage = await openSqliteStorage({ directory: temporaryDirectory(t) });
  await putMany(storage, 3000);
  const stop = new AbortController();
  const backup = storage.backup(file, { signal: stop.signal });
  await storage.get('x');
  stop.abort(new Error('enough'));
  await assert.rejects(backup, /enough/);
  await storage.get('x');
  assert.equal(existsSync(file), false);
  assert.equal(existsSync(`${file}.partial`), false);
  assert.equal(
    (
      await storage.commit({
        require: [{ key: 'y', revision: ABSENT }],
        writes: [{ kind: 'put', key: 'y', value: Buffer.from('y') }],
      })
    ).outcome,
    'written',
  );
});

test('a store can be checked while it is used', async (t) => {
  const directory = temporaryDirectory(t);
  await using storage = await openSqliteStorage({ directory });
  await putMany(storage, 500);
  const writing = putMany(storage, 2000);
  for (let round = 0; round < 3; round += 1) {
    assert.deepEqual((await checkStore(directory)).findings, []);
  }
  await writing;
  const report = await checkStore(directory);
  assert.equal(report.keys, 2000);
  assert.equal(report.isSound, true);
});
