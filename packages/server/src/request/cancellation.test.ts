import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '@tributary/storage';
import { Cancellation } from './cancellation.ts';

const late = () => new Error('late');

test('a time limit counts from when it was set, whenever the signal is asked for', () => {
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

test('a limit that comes after the signal counts too, and a released one does not', () => {
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

test('a second limit counts in place of the first', () => {
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

test('what was aborted before is aborted for who asks later, with the first reason', () => {
  const cancellation = new Cancellation();
  cancellation.abort(new Error('gone'));
  cancellation.abort(new Error('again'));
  assert.equal(cancellation.signal.aborted, true);
  assert.equal(cancellation.signal.reason.message, 'gone');
});
