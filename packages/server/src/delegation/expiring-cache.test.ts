import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '@tributary/storage';
import { ExpiringCache } from './expiring-cache.ts';

test('values hold for their time', () => {
  const clock = manualClock();
  const cache = new ExpiringCache<number>({ entriesMax: 10, nowMs: clock.nowMs });
  cache.set('a', 1, 1000);
  cache.set('b', 2, 2000);
  cache.set('c', 3, 0);
  clock.advance(999);
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [1, 2, undefined]);
  clock.advance(1);
  assert.deepEqual([cache.get('a'), cache.get('b')], [undefined, 2]);
  assert.equal(cache.size, 1);
});

test('beyond the bound the one goes that was not used for longest', () => {
  const cache = new ExpiringCache<number>({ entriesMax: 2, nowMs: () => 0 });
  cache.set('a', 1, 1000);
  cache.set('b', 2, 1000);
  cache.get('a');
  cache.set('c', 3, 1000);
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [1, undefined, 3]);
  cache.set('a', 4, 1000);
  assert.deepEqual([cache.size, cache.get('a')], [2, 4]);
});
