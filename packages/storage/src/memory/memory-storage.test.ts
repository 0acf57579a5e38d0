import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '../contract/clock.ts';
import { Compacted } from '../contract/errors.ts';
import { ABSENT, type Revision } from '../contract/revision.ts';
import type { Storage } from '../contract/storage.ts';
import { openMemoryStorage } from './memory-storage.ts';

async function put(storage: Storage, key: string, ttlSeconds?: number): Promise<Revision> {
  const write = { kind: 'put' as const, key, value: Buffer.from(key) };
  const writes = [ttlSeconds === undefined ? write : { ...write, ttlSeconds }];
  const result = await storage.commit({ require: [], writes });
  assert.ok(result.outcome === 'written');
  return result.revision;
}

test('history is retained for the configured number of revisions', async () => {
  await using storage = openMemoryStorage({ historyRevisionsMax: 3 });
  const revisions: Revision[] = [];
  for (const key of ['a', 'b', 'c', 'd', 'e']) revisions.push(await put(storage, key));
  const [, second, third] = revisions;
  await assert.rejects(storage.list('', { revision: revisions[0] ?? ABSENT }), Compacted);
  assert.ok(second !== undefined && third !== undefined);
  const page = await storage.list('', { revision: second });
  assert.deepEqual(
    page.items.map(({ key }) => key),
    ['a', 'b'],
  );
});

test('a key expires by the clock of the store, at its time and not before', async () => {
  const clock = manualClock();
  await using storage = openMemoryStorage({ clock });
  await put(storage, 'short', 10);
  await put(storage, 'long', 20);
  await put(storage, 'renewed', 10);
  clock.advance(9_999);
  assert.equal(await storage.count(''), 3);
  await put(storage, 'renewed', 30);
  clock.advance(1);
  assert.equal(await storage.get('short'), undefined);
  assert.equal(await storage.count(''), 2);
  clock.advance(10_000);
  assert.equal(await storage.get('long'), undefined);
  await put(storage, 'renewed');
  clock.advance(1_000_000);
  assert.equal(await storage.count(''), 1);
});

test('revisions before the first one of a store are compacted', async () => {
  const firstRevision = 1000 as Revision;
  const storage = openMemoryStorage({ firstRevision });
  assert.equal(await storage.currentRevision(), firstRevision);
  await assert.rejects(storage.list('', { revision: 999 as Revision }), Compacted);
  const feed = storage.feed(999 as Revision, new AbortController());
  await assert.rejects(feed[Symbol.asyncIterator]().next(), Compacted);
  const written = await storage.commit({
    require: [],
    writes: [{ kind: 'put', key: '/a', value: Buffer.from('x') }],
  });
  assert.equal(written.outcome === 'written' && written.revision, 1001);
  await storage.close();
});
