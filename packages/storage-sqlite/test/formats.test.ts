import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { Compacted, type Revision } from '@tributary/storage';
import { checkStore, openSqliteStorage } from '@tributary/storage-sqlite';
import { temporaryDirectory } from './temporary-directory.ts';
import { contents, describeEvents, put } from './writes.ts';

const fixtures = join(import.meta.dirname, 'fixtures');
const FORMAT = 1;

/** Every format was recorded with the same values; see record-fixture.ts. */
const expected = [
  '/registry/configmaps/default/one@4={"data":"changed"}',
  '/registry/configmaps/\u{1f600}@7=',
  '/registry/leases/kept@5={}',
];

function fixture(t: { after(run: () => void): void }, name: string): string {
  const directory = temporaryDirectory(t);
  cpSync(join(fixtures, name), directory, { recursive: true });
  return directory;
}

for (const name of readdirSync(fixtures)) {
  test(`a store of ${name} opens, is sound and goes on from its revision`, async (t) => {
    const directory = fixture(t, name);
    const storage = await openSqliteStorage({ directory });
    assert.deepEqual(await contents(storage), expected);
    assert.equal(await storage.currentRevision(), 7);
    assert.equal(await put(storage, 'new'), 8);
    await storage.close();
    assert.equal(readFileSync(join(directory, 'VERSION'), 'utf8'), `${FORMAT}\n`);
    assert.deepEqual((await checkStore(directory)).findings, []);
  });
}

test('there is a fixture of every format', () => {
  const formats = Array.from({ length: FORMAT + 1 }, (_, format) => `format-${format}`);
  assert.deepEqual(readdirSync(fixtures).sort(), formats);
});

test('the current format keeps its history', async (t) => {
  await using storage = await openSqliteStorage({ directory: fixture(t, `format-${FORMAT}`) });
  assert.equal((await describeEvents(storage, 1 as Revision, 7 as Revision)).length, 6);
  assert.deepEqual(await contents(storage, 3 as Revision), [
    '/registry/configmaps/default/one@2={"data":"first"}',
    '/registry/configmaps/default/two@3={"data":"second"}',
  ]);
});

test('a migration copies the old database, and history begins with it', async (t) => {
  const directory = fixture(t, 'format-0');
  const before = readFileSync(join(directory, 'store.db'));
  await using storage = await openSqliteStorage({ directory });
  await assert.rejects(describeEvents(storage, 6 as Revision, 7 as Revision), Compacted);
  const copy = new DatabaseSync(join(directory, 'store.db.format-0'), { readOnly: true });
  const rows = copy.prepare('SELECT count(*) AS count FROM objects').get();
  assert.equal(rows?.count, 3);
  copy.close();
  assert.ok(before.length > 0);
});

test('a migration that fails changes nothing and is done by the next start', async (t) => {
  const directory = fixture(t, 'format-0');
  const file = join(directory, 'store.db');
  const old = new DatabaseSync(file);
  // A conflicting table: the migration fails in the middle of its transaction.
  old.exec('CREATE TABLE state (unexpected)');
  old.close();
  await assert.rejects(openSqliteStorage({ directory }), /table state already exists/);
  assert.equal(readFileSync(join(directory, 'VERSION'), 'utf8'), '0\n');
  const again = new DatabaseSync(file);
  assert.equal(again.prepare('SELECT count(*) AS count FROM objects').get()?.count, 3);
  again.exec('DROP TABLE state');
  again.close();
  await using storage = await openSqliteStorage({ directory });
  assert.deepEqual(await contents(storage), expected);
});

test('a start that ended before VERSION was written is completed', async (t) => {
  const directory = fixture(t, `format-${FORMAT}`);
  writeFileSync(join(directory, 'VERSION'), '0\n');
  await (await openSqliteStorage({ directory })).close();
  assert.equal(readFileSync(join(directory, 'VERSION'), 'utf8'), `${FORMAT}\n`);

  const fresh = temporaryDirectory(t);
  writeFileSync(join(fresh, 'store.db'), '');
  await using storage = await openSqliteStorage({ directory: fresh });
  assert.equal(await storage.count(''), 0);
  assert.ok(existsSync(join(fresh, 'VERSION')));
});
