import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Revision } from '@tributary/storage';
import type { CacheEvent } from './types.ts';
import { Wakeups, WatchQueue } from './watch-queue.ts';

const bookmark = (revision: number): CacheEvent => ({
  type: 'BOOKMARK',
  revision: revision as Revision,
  initialEventsEnd: false,
});

function queue(limits = { queueEventsMax: 3, queueBytesMax: 100 }) {
  const wakeups = new Wakeups();
  return { wakeups, queue: new WatchQueue(limits, wakeups) };
}

test('events of one batch are delivered together', async () => {
  const { queue: q, wakeups } = queue();
  const next = q.next();
  q.push(bookmark(1), 1);
  q.push(bookmark(2), 1);
  wakeups.flush();
  assert.deepEqual((await next).value, [bookmark(1), bookmark(2)]);
  q.push(bookmark(3), 1);
  assert.deepEqual((await q.next()).value, [bookmark(3)]);
});

test('the end of a queue follows its queued events', async () => {
  const { queue: q } = queue();
  q.push(bookmark(1), 1);
  q.end();
  q.push(bookmark(2), 1);
  assert.deepEqual((await q.next()).value, [bookmark(1)]);
  assert.equal((await q.next()).done, true);
  assert.equal((await q.next()).done, true);
});

test('the error of a queue follows its queued events', async () => {
  const { queue: q } = queue();
  q.push(bookmark(1), 1);
  q.end({ error: new Error('broken') });
  q.end();
  assert.deepEqual((await q.next()).value, [bookmark(1)]);
  await assert.rejects(q.next(), /broken/);
});

test('the end of a queue wakes its consumer', async () => {
  const { queue: q } = queue();
  const next = q.next();
  q.end();
  assert.equal((await next).done, true);
});

test('beyond a bound a queue drops its events', () => {
  const counted = queue().queue;
  const fits = [1, 2, 3, 4].map((n) => counted.push(bookmark(n), 1));
  assert.deepEqual(fits, [true, true, true, false]);
  const weighed = queue().queue;
  assert.equal(weighed.push(bookmark(1), 100), true);
  assert.equal(weighed.push(bookmark(2), 1), false);
});
