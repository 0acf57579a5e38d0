import assert from 'node:assert/strict';
import { test } from 'node:test';
import { giveBackGrown, giveBackMemory } from './give-back-memory.ts';

test('what nobody holds any more is given back', async () => {
  const gone = new WeakRef({ nobody: 'holds this' });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(giveBackMemory(), true);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(gone.deref(), undefined);
});

test('a thread that holds much is left alone', () => {
  assert.equal(giveBackMemory(1024), false);
});

test('memory is given back after a start, and then after growth', () => {
  let held = 30;
  let isPossible = true;
  let times = 0;
  const giveBack = () => {
    if (isPossible) times += 1;
    return isPossible;
  };
  const look = giveBackGrown({ grownBytes: 16, heldBytes: () => held, giveBack });
  assert.deepEqual([look(), look()], [true, false]);
  held = 45;
  assert.equal(look(), false, 'that is too little');
  held = 46;
  isPossible = false;
  assert.equal(look(), false, 'it was not done');
  isPossible = true;
  assert.deepEqual([look(), look()], [true, false]);
  held = 20;
  assert.equal(look(), false);
  assert.equal(times, 2);
});
