import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RetryAfter } from './retry-after.ts';

/** Each argument is the number of rejections in one second; returns the Retry-After at the end of each. */
function retryAfterOf(...dropped: readonly number[]): number[] {
  let nowMs = 1_700_000_000_000;
  const retryAfter = new RetryAfter(() => nowMs);
  return dropped.map((count) => {
    for (let at = 0; at < count; at += 1) retryAfter.add();
    nowMs += 1000;
    return retryAfter.seconds;
  });
}

test('Retry-After is one second while few requests are rejected', () => {
  assert.deepEqual(retryAfterOf(1, 1, 1, 1, 1, 1), [1, 1, 1, 1, 1, 1]);
});

test('Retry-After doubles up to 32 seconds while many requests are rejected', () => {
  const seconds = retryAfterOf(...new Array<number>(80).fill(100));
  assert.deepEqual([...new Set(seconds)], [1, 2, 4, 8, 16, 32]);
  assert.equal(seconds.at(-1), 32);
});

test('Retry-After decreases by one per second while few requests are rejected', () => {
  assert.deepEqual(retryAfterOf(10, 10, 10, 10, 0, 0, 0, 0, 0, 1, 1, 1, 1).slice(-4), [3, 2, 2, 2]);
});
