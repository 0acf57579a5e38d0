import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSqliteStorage, StorageInUse } from '@tributary/storage-sqlite';
import { startProcess } from './other-process.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { put } from './writes.ts';

test('a second process gets StorageInUse with the directory and the owner', async (t) => {
  const directory = temporaryDirectory(t);
  await using _storage = await openSqliteStorage({ directory });
  const second = startProcess('hold-store.ts', [directory]);
  await second.exited;
  assert.match(
    second.output,
    /^StorageInUse: the data directory (\S+) is in use by process (\d+): /,
  );
  assert.ok(second.output.includes(`${directory} is in use by process ${process.pid}:`));
});

test('a second store of the same process gets StorageInUse too, and the first one works', async (t) => {
  const directory = temporaryDirectory(t);
  await using storage = await openSqliteStorage({ directory });
  await assert.rejects(openSqliteStorage({ directory }), StorageInUse);
  await put(storage, 'a');
  const third = startProcess('hold-store.ts', [directory]);
  await third.exited;
  assert.match(third.output, /StorageInUse/, 'the refused store did not release the lock');
});

test('kill -9 releases the lock and loses no acknowledged commit', async (t) => {
  const directory = temporaryDirectory(t);
  const first = startProcess('hold-store.ts', [directory, 'write']);
  await first.waitFor('acknowledged 20');
  await assert.rejects(openSqliteStorage({ directory }), StorageInUse);
  await first.kill();
  const acknowledged = [...first.output.matchAll(/acknowledged (\d+)/g)].map(([, at]) =>
    Number(at),
  );
  await using storage = await openSqliteStorage({ directory });
  assert.ok((await storage.currentRevision()) >= Math.max(...acknowledged));
  const { items } = await storage.list('');
  const found = new Set<number>(items.map(({ revision }) => revision));
  assert.deepEqual(
    acknowledged.filter((revision) => !found.has(revision)),
    [],
  );
});

test('closing releases the lock', async (t) => {
  const directory = temporaryDirectory(t);
  for (let round = 0; round < 3; round += 1) {
    await using storage = await openSqliteStorage({ directory });
    await put(storage, `${round}`);
    assert.equal(await storage.count(''), round + 1);
    assert.equal(readFileSync(join(directory, 'VERSION'), 'utf8'), '1\n');
  }
});

test('an open store does not keep the process alive', async (t) => {
  const idle = startProcess('leave-open.ts', [temporaryDirectory(t)]);
  await idle.exited;
  assert.match(idle.output, /^written at \d+\n$/);
});
