import assert from 'node:assert/strict';
import { test } from 'node:test';
import { giveBackGrown, giveBackMemory } from './release-memory.ts';

test('giveBackMemory frees objects that are no longer referenced', async () => {
  const gone = new WeakRef({ nobody: 'holds this' });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(await giveBackMemory(), true);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(gone.deref(), undefined);
});

test('a thread that holds much is left alone', async () => {
  assert.equal(await giveBackMemory(1024), false);
});

test('memory is given back after a start, and then after growth', async () => {
  let held = 30;
  let isPossible = true;
  let times = 0;
  const giveBack = async () => {
    if (isPossible) times += 1;
    return isPossible;
  };
  const look = giveBackGrown({ grownBytes: 16, heldBytes: () => held, giveBack });
  assert.deepEqual([await look(), await look()], [true, false]);
  held = 45;
  assert.equal(await look(), false, 'that is too little');
  held = 46;
  isPossible = false;
  assert.equal(await look(), false, 'it was not done');
  isPossible = true;
  assert.deepEqual([await look(), await look()], [true, false]);
  held = 20;
  assert.equal(await look(), false);
  assert.equal(times, 2);
});
