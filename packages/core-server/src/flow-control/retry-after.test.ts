import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RetryAfter } from './retry-after.ts';

/** Each number is how many are turned away in a second; answers what they are told at its end. */
function told(...dropped: readonly number[]): number[] {
  let nowMs = 1_700_000_000_000;
  const retryAfter = new RetryAfter(() => nowMs);
  return dropped.map((count) => {
    for (let at = 0; at < count; at += 1) retryAfter.add();
    nowMs += 1000;
    return retryAfter.seconds;
  });
}

test('one now and then come again after a second', () => {
  assert.deepEqual(told(1, 1, 1, 1, 1, 1), [1, 1, 1, 1, 1, 1]);
});

test('it doubles while many are turned away, up to half a minute', () => {
  const seconds = told(...new Array<number>(80).fill(100));
  assert.deepEqual([...new Set(seconds)], [1, 2, 4, 8, 16, 32]);
  assert.equal(seconds.at(-1), 32);
});

test('it goes down by one a second when few are', () => {
  assert.deepEqual(told(10, 10, 10, 10, 0, 0, 0, 0, 0, 1, 1, 1, 1).slice(-4), [3, 2, 2, 2]);
});
