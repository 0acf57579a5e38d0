import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '@tributary/storage';
import { Cancellation } from './cancellation.ts';

const late = () => new Error('late');

test('a deadline counts from when it was set, not from the first use of the signal', () => {
  const clock = manualClock();
  const cancellation = new Cancellation();
  cancellation.limit(clock, 1000, late);
  clock.advance(900);
  const { signal } = cancellation;
  assert.equal(signal.aborted, false);
  clock.advance(100);
  assert.equal(signal.aborted, true);
  assert.equal(cancellation.reason?.message, 'late');
});

test('a deadline set after the signal aborts it, and a released one does not', () => {
  const clock = manualClock();
  const cancellation = new Cancellation();
  const { signal } = cancellation;
  cancellation.limit(clock, 1000, late);
  cancellation.release();
  clock.advance(5000);
  assert.equal(signal.aborted, false);
  cancellation.limit(clock, 1000, late);
  clock.advance(1000);
  assert.equal(signal.aborted, true);
});

test('a second deadline replaces the first', () => {
  const clock = manualClock();
  const cancellation = new Cancellation();
  const { signal } = cancellation;
  cancellation.limit(clock, 1000, late);
  cancellation.limit(clock, 3000, () => new Error('later'));
  clock.advance(2000);
  assert.equal(signal.aborted, false);
  clock.advance(1000);
  assert.equal(cancellation.reason?.message, 'later');
});

test('a signal created after an abort is aborted with the first reason', () => {
  const cancellation = new Cancellation();
  cancellation.abort(new Error('gone'));
  cancellation.abort(new Error('again'));
  assert.equal(cancellation.signal.aborted, true);
  assert.equal(cancellation.signal.reason.message, 'gone');
});
