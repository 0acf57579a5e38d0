import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StorageUnavailable } from '@tributary/storage';
import { openSqliteStorage } from '@tributary/storage-sqlite';
import { temporaryDirectory } from './temporary-directory.ts';
import { put } from './writes.ts';

test('requests above the limit reject, pending ones are served', async (t) => {
  await using storage = await openSqliteStorage({ directory: temporaryDirectory(t) });
  const results = await Promise.allSettled(
    Array.from({ length: 12_000 }, (_, at) => put(storage, `key ${at}`, 'x')),
  );
  const refused = results.filter((result) => result.status === 'rejected');
  assert.equal(refused.length, 2000);
  for (const { reason } of refused) {
    assert.ok(reason instanceof StorageUnavailable);
    assert.match(reason.message, /too many requests are waiting/);
  }
  assert.equal(await storage.count(''), 10_000);
  await put(storage, 'afterwards');
});

test('the bytes of pending requests are bounded too', async (t) => {
  await using storage = await openSqliteStorage({ directory: temporaryDirectory(t) });
  const value = Buffer.alloc(3_000_000);
  const results = await Promise.allSettled(
    Array.from({ length: 100 }, (_, at) => put(storage, `key ${at}`, value)),
  );
  const written = results.filter(({ status }) => status === 'fulfilled').length;
  assert.equal(written, Math.floor((256 * 1024 * 1024) / value.length));
  assert.equal(await storage.count(''), written);
});
