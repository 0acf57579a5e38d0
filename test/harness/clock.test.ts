import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from './clock.ts';

test('timers fire in order of their time, then in the order they were set', async () => {
  const clock = new VirtualClock(0);
  const fired: string[] = [];
  clock.schedule(20, () => void fired.push('late'));
  clock.schedule(10, () => void fired.push('early'));
  clock.schedule(10, () => void fired.push('early too'));
  await clock.advance(9);
  assert.deepEqual(fired, []);
  await clock.advance(11);
  assert.deepEqual(fired, ['early', 'early too', 'late']);
  assert.equal(clock.nowMs(), 20);
});

test('a timer sees its due time, not the end of the step', async () => {
  const clock = new VirtualClock(1_000);
  let seen = 0;
  clock.schedule(5, () => {
    seen = clock.nowMs();
  });
  await clock.advance(100);
  assert.equal(seen, 1_005);
  assert.equal(clock.nowMs(), 1_100);
});

test('a loop that sleeps runs once per interval', async () => {
  const clock = new VirtualClock(0);
  const ticks: number[] = [];
  const stop = new AbortController();
  const loop = (async () => {
    for (;;) {
      await clock.sleep(10, stop.signal);
      ticks.push(clock.nowMs());
    }
  })();
  await clock.advance(35);
  assert.deepEqual(ticks, [10, 20, 30]);
  stop.abort(new Error('enough'));
  await assert.rejects(loop, /enough/);
  assert.equal(clock.pending, 0);
});

test('a cancelled timer does not fire, and cancelling twice is harmless', async () => {
  const clock = new VirtualClock();
  const cancel = clock.schedule(1, () => assert.fail('it was cancelled'));
  cancel();
  cancel();
  await clock.advance(10);
});

test('a sleep under an aborted signal does not begin', async () => {
  const clock = new VirtualClock();
  await assert.rejects(clock.sleep(10, AbortSignal.abort(new Error('gone'))), /gone/);
  assert.equal(clock.pending, 0);
});
