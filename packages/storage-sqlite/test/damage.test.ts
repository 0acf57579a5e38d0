import assert from 'node:assert/strict';
import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ABSENT, type Revision, StorageUnavailable, StorageUnreadable } from '@tributary/storage';
import {
  checkStore,
  openSqliteStorage,
  StorageDamaged,
  UnsupportedFormat,
} from '@tributary/storage-sqlite';
import { temporaryDirectory } from './temporary-directory.ts';
import { keyOf, put, putMany } from './writes.ts';

const KEYS = 600;
const SAMPLES = 8;

/** Damage to files, and the error of the next start. */
const faults: readonly { name: string; damage: (directory: string) => void; says: RegExp }[] = [
  {
    name: 'an empty database',
    damage: (directory) => truncateSync(join(directory, 'store.db'), 0),
    says: /store.db is empty/,
  },
  {
    name: 'a database cut in half',
    damage: (directory) => {
      const file = join(directory, 'store.db');
      truncateSync(file, readFileSync(file).length >> 1);
    },
    says: /store.db has \d+ of its \d+ bytes/,
  },
  {
    name: 'a database cut within its header',
    damage: (directory) => truncateSync(join(directory, 'store.db'), 60),
    says: /store.db is not a SQLite database|of its/,
  },
  {
    name: 'a header of garbage',
    damage: (directory) => overwrite(directory, 0, Buffer.alloc(100, 0x55)),
    says: /store.db is not a SQLite database/,
  },
  {
    name: 'a first page of garbage behind its header',
    damage: (directory) => overwrite(directory, 100, Buffer.alloc(3900, 0x55)),
    says: /malformed/,
  },
  {
    name: 'no database',
    damage: (directory) => rmSync(join(directory, 'store.db')),
    says: /store.db is missing/,
  },
  {
    name: 'a VERSION that is no number',
    damage: (directory) => writeFileSync(join(directory, 'VERSION'), 'one\n'),
    says: /its VERSION is "one"/,
  },
];

function overwrite(directory: string, at: number, bytes: Buffer): void {
  const file = join(directory, 'store.db');
  const content = readFileSync(file);
  bytes.copy(content, at);
  writeFileSync(file, content);
}

describe('a damaged store is refused in words', () => {
  const sound = temporaryDirectory({ after });
  before(async () => {
    const storage = await openSqliteStorage({ directory: sound });
    await putMany(storage, KEYS, (at) => `${at} `.repeat(200));
    await storage.close();
  });

  for (const { name, damage, says } of faults) {
    test(name, async (t) => {
      const directory = copyOf(t, sound);
      damage(directory);
      await assert.rejects(openSqliteStorage({ directory }), (error) => {
        assert.ok(error instanceof StorageDamaged && error instanceof StorageUnavailable);
        assert.match(error.message, says);
        assert.ok(error.message.includes(directory), 'names the directory');
        assert.match(error.message, /restore a backup/, 'says what to do');
        return true;
      });
      const report = await checkStore(directory);
      assert.equal(report.isSound, false);
    });
  }

  test('a newer format is refused and left alone', async (t) => {
    const directory = copyOf(t, sound);
    writeFileSync(join(directory, 'VERSION'), '2\n');
    await assert.rejects(openSqliteStorage({ directory }), (error) => {
      assert.ok(error instanceof UnsupportedFormat);
      assert.match(error.message, /has format 2, this program knows formats up to 1/);
      return true;
    });
    assert.equal(readFileSync(join(directory, 'VERSION'), 'utf8'), '2\n');
  });

  test('with any page overwritten, reads fail with an error or return the right value', async (t) => {
    const pages = Math.floor(readFileSync(join(sound, 'store.db')).length / 4096);
    let refused = 0;
    for (let page = 1; page < pages; page += Math.ceil(pages / SAMPLES)) {
      const directory = copyOf(t, sound);
      overwrite(directory, page * 4096 + 8, Buffer.alloc(4080, 0xa5));
      refused += await readAll(directory);
    }
    t.diagnostic(`${refused} of ${SAMPLES} damaged stores failed a read`);
    assert.ok(refused > SAMPLES / 2);
  });

  test('a flipped byte within a value is detected by a read and by the check', async (t) => {
    const directory = copyOf(t, sound);
    const content = readFileSync(join(directory, 'store.db'));
    const at = content.lastIndexOf('300 300 300 ');
    overwrite(directory, at, Buffer.from('301'));
    const report = await checkStore(directory);
    assert.deepEqual(report.findings, [`${keyOf(300)}: its value has a wrong checksum`]);
    await using storage = await openSqliteStorage({ directory });
    await assert.rejects(storage.get(keyOf(300)), StorageUnreadable);
    const { items } = await storage.list('');
    assert.equal(items.length, KEYS, 'it is not left out');
    const unreadable = items.filter((item) => item.unreadable);
    assert.deepEqual(
      unreadable.map(({ key }) => key),
      [keyOf(300)],
    );
    assert.throws(() => unreadable[0]?.value, StorageUnreadable);
    assert.throws(() => ({ ...unreadable[0] }), StorageUnreadable);
    assert.ok(await storage.get(keyOf(301)), 'the rest is served');
    await assert.rejects(storage.backup(join(directory, 'backup.db')), StorageUnavailable);
  });

  test('a damaged value can be deleted by its revision, and the feed has the deletion', async (t) => {
    const directory = copyOf(t, sound);
    const content = readFileSync(join(directory, 'store.db'));
    overwrite(directory, content.lastIndexOf('300 300 300 '), Buffer.from('301'));
    await using storage = await openSqliteStorage({ directory });
    const key = keyOf(300);
    const { items } = await storage.list(key);
    const revision = items[0]?.revision ?? ABSENT;
    const before = await storage.currentRevision();
    const stop = new AbortController();
    const feed = storage.feed(before, { signal: stop.signal })[Symbol.asyncIterator]();
    await feed.next();
    const wrong = [{ key, revision: (revision - 1) as Revision }];
    const lost = await storage.commit({ require: wrong, writes: [{ kind: 'delete', key }] });
    assert.ok(lost.outcome === 'conflict' && lost.current?.unreadable, 'a conflict names it');
    const require = [{ key, revision }];
    const written = await storage.commit({ require, writes: [{ kind: 'delete', key }] });
    assert.equal(written.outcome, 'written');
    const live = (await feed.next()).value?.events[0];
    stop.abort();
    const past = storage.feed(before, { signal: new AbortController().signal });
    const [replayed] = (await past[Symbol.asyncIterator]().next()).value?.events ?? [];
    for (const event of [live, replayed]) {
      assert.ok(event?.kind === 'delete' && event.previous.unreadable);
      assert.equal(event.previous.revision, revision);
    }
    assert.equal(await storage.get(key), undefined);
    const past300 = await storage.list(key, { revision: before });
    assert.ok(past300.items[0]?.unreadable, 'also in the past');
    await put(storage, key);
    assert.ok(await storage.get(key));
  });
});

function copyOf(t: { after(run: () => void): void }, sound: string): string {
  const directory = temporaryDirectory(t);
  cpSync(sound, directory, { recursive: true });
  return directory;
}

/** Returns the number of failed reads; all others must return what was written. */
async function readAll(directory: string): Promise<number> {
  try {
    await using storage = await openSqliteStorage({ directory });
    let failed = 0;
    for (let at = 0; at < KEYS; at += 1) {
      try {
        const found = await storage.get(keyOf(at));
        if (found) assert.equal(Buffer.from(found.value).toString(), `${at} `.repeat(200));
      } catch (error) {
        if (!isDamage(error)) throw error;
        failed = 1;
      }
    }
    try {
      const { items } = await storage.list('');
      if (items.some(({ unreadable }) => unreadable)) failed = 1;
    } catch (error) {
      if (!isDamage(error)) throw error;
      failed = 1;
    }
    return failed;
  } catch (error) {
    if (!(error instanceof StorageDamaged)) throw error;
    return 1;
  }
}

function isDamage(error: unknown): boolean {
  return error instanceof StorageDamaged || error instanceof StorageUnreadable;
}
