import assert from 'node:assert/strict';
import { eventually, plain, put, remove, times } from './actions.ts';
import { FeedReader } from './feed-reader.ts';
import { describeEvent } from './model.ts';
import { type ContractTest, type Subject, scaled } from './subject.ts';

/** The shortest time that every engine supports. */
const TTL_SECONDS = 1;
/** Engines may be late, etcd by design; the delay depends on the machine too. */
const LATE_MS = 5000;

export const expiryTests: readonly ContractTest[] = [
  { name: 'a key lives as long as its ttl, then the feed has an ordinary delete', run: expires },
  { name: 'a later write replaces the ttl of a key', run: renewed },
  { name: 'many keys expire, each as a change of its own', run: manyExpire },
];

async function expires({ storage, waitMs }: Subject): Promise<void> {
  const start = await storage.currentRevision();
  const reader = new FeedReader(storage, start, waitMs + LATE_MS);
  const committed = performance.now();
  const revision = await put(storage, 'short', 'value', { ttlSeconds: TTL_SECONDS });
  await put(storage, 'long', 'value', { ttlSeconds: 3600 });
  await eventually('the end of a key', waitMs + LATE_MS, async () => {
    return (await storage.get('short')) === undefined;
  });
  assert.ok(performance.now() - committed >= TTL_SECONDS * 1000, 'it ended early');
  const event = await reader.untilEvent('the delete', ({ kind }) => kind === 'delete');
  assert.equal(
    describeEvent(event),
    `${event.revision} short deleted, before short@${revision}=value`,
  );
  assert.ok((await storage.currentRevision()) >= event.revision);
  assert.ok(await storage.get('long'));
  assert.equal(await storage.count(''), 1);
  const past = await storage.list('', { revision });
  assert.deepEqual(past.items.map(plain), [`short@${revision}=value`], 'the past is as it was');
  await reader.close();
}

async function renewed({ storage, waitMs }: Subject): Promise<void> {
  const ttl = { ttlSeconds: TTL_SECONDS };
  for (const key of ['renewed', 'kept', 'again']) await put(storage, key, 'one', ttl);
  await put(storage, 'renewed', 'two', { ttlSeconds: 3600 });
  await put(storage, 'kept', 'two');
  await remove(storage, 'again');
  await put(storage, 'again', 'two');
  // Written after the others, so it expires after they would have.
  await put(storage, 'control', 'one', ttl);
  await eventually('the end of the control', waitMs + LATE_MS, async () => {
    return (await storage.get('control')) === undefined;
  });
  const { items } = await storage.list('');
  assert.deepEqual(
    items.map(({ key }) => key),
    ['again', 'kept', 'renewed'],
  );
}

async function manyExpire(subject: Subject): Promise<void> {
  const { storage, waitMs } = subject;
  const count = scaled(subject, 500, 20);
  const reader = new FeedReader(storage, await storage.currentRevision(), waitMs + LATE_MS);
  await times(count, async (at) => {
    await put(storage, `keys/${at}`, 'x', { ttlSeconds: TTL_SECONDS });
  });
  await eventually('the end of all', waitMs + LATE_MS, async () => (await storage.count('')) === 0);
  const events = await reader.until(await storage.currentRevision());
  const deletes = events.filter(({ kind }) => kind === 'delete');
  assert.equal(new Set(deletes.map(({ key }) => key)).size, count);
  assert.equal(deletes.length, count, 'each key once');
  await reader.close();
}
