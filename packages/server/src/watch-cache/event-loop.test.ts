import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orAborted, SharedTurn } from './event-loop.ts';

test('many tasks that share a turn do not block the event loop', async () => {
  let nowMs = 0;
  const turn = new SharedTurn(() => nowMs);
  let rounds = 0;
  let running = true;
  const count = () => {
    rounds += 1;
    if (running) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      for (let piece = 0; piece < 3; piece += 1) {
        nowMs += 2; // like a step of a long scan
        if (turn.isOver) await turn.next();
      }
    }),
  );
  running = false;
  assert.ok(rounds >= 12, `120 ms of work in ${rounds} rounds`);
});

test('tasks do not wait when a shared turn is not used up', async () => {
  let nowMs = 0;
  const turn = new SharedTurn(() => nowMs);
  assert.equal(turn.isOver, false);
  await new Promise((resolve) => setImmediate(resolve));
  nowMs += 20; // after the round of the event loop in which the turn began
  assert.equal(turn.isOver, false);
  nowMs += 10;
  assert.equal(turn.isOver, true);
});

test('orAborted settles with the signal or the promise, whichever is first', async () => {
  const stop = new AbortController();
  const waiting = orAborted(new Promise(() => undefined), stop.signal);
  const outcome = assert.rejects(waiting, /gone/);
  stop.abort(new Error('gone'));
  await outcome;
  await assert.rejects(orAborted(Promise.resolve(1), stop.signal), /gone/);
  const { signal } = new AbortController();
  assert.equal(await orAborted(Promise.resolve(1), signal), 1);
  await assert.rejects(orAborted(Promise.reject(new Error('broken')), signal), /broken/);
});
