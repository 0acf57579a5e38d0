import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../../test/harness/clock.ts';
import {
  bucketRateLimiter,
  controllerRateLimiter,
  exponentialRateLimiter,
} from './rate-limiter.ts';

test('the delay doubles with every failure of one item, up to the limit', () => {
  const limiter = exponentialRateLimiter<string>({ baseMs: 5, maxMs: 30 });
  assert.deepEqual(
    ['a', 'a', 'b', 'a', 'a'].map((item) => limiter.delayMs(item)),
    [5, 10, 5, 20, 30],
  );
  assert.equal(limiter.failures('a'), 4);
  limiter.forget('a');
  assert.equal(limiter.failures('a'), 0);
  assert.equal(limiter.delayMs('a'), 5);
});

test('the delay is still the limit after a thousand failures', () => {
  const limiter = exponentialRateLimiter<string>({ baseMs: 5, maxMs: 1000 });
  for (let index = 0; index < 2000; index += 1) limiter.delayMs('a');
  assert.equal(limiter.delayMs('a'), 1000);
});

test('a token bucket allows a burst, and then a rate per second', async () => {
  const clock = new VirtualClock();
  const limiter = bucketRateLimiter<string>({ perSecond: 10, burst: 2, clock });
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((item) => limiter.delayMs(item)),
    [0, 0, 100, 200],
  );
  await clock.advance(1000);
  assert.deepEqual(
    ['a', 'b', 'c'].map((item) => limiter.delayMs(item)),
    [0, 0, 100],
  );
});

test('controllerRateLimiter uses the longer delay of both limiters', () => {
  const limiter = controllerRateLimiter<number>(new VirtualClock());
  assert.equal(limiter.delayMs(0), 5);
  for (let item = 1; item < 100; item += 1) limiter.delayMs(item);
  assert.equal(limiter.delayMs(100), 100);
  assert.equal(limiter.failures(100), 1);
});
