import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Backoff } from './backoff.ts';

const options = { initialMs: 100, maxMs: 1000, factor: 2, jitter: 1, resetMs: 60_000 };

function backoffAt(random: number): { backoff: Backoff; pass(ms: number): void } {
  let nowMs = 0;
  const clock = { nowMs: () => nowMs, schedule: () => () => undefined };
  return {
    backoff: new Backoff(options, { clock, random: () => random }),
    pass: (ms) => {
      nowMs += ms;
    },
  };
}

test('delays double up to the limit', () => {
  const { backoff } = backoffAt(0);
  const pauses = Array.from({ length: 6 }, () => backoff.next());
  assert.deepEqual(pauses, [100, 200, 400, 800, 1000, 1000]);
});

test('jitter is added to each delay and does not accumulate', () => {
  const { backoff } = backoffAt(0.5);
  assert.deepEqual([backoff.next(), backoff.next()], [150, 300]);
});

test('delays start small again after a time without failures', () => {
  const { backoff, pass } = backoffAt(0);
  backoff.next();
  backoff.next();
  pass(60_000);
  assert.equal(backoff.next(), 400);
  pass(60_401);
  assert.equal(backoff.next(), 100);
});
