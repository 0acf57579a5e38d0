import assert from 'node:assert/strict';
import { test } from 'node:test';
import { releaseGrownMemory, releaseMemory } from './release-memory.ts';

test('releaseMemory frees objects that are no longer referenced', async () => {
  const gone = new WeakRef({ name: 'unreferenced' });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(await releaseMemory(), true);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(gone.deref(), undefined);
});

test('releaseMemory does nothing for a large heap', async () => {
  assert.equal(await releaseMemory(1024), false);
});

test('releaseGrownMemory releases memory after a start, and then after growth', async () => {
  let held = 30;
  let isPossible = true;
  let times = 0;
  const release = async () => {
    if (isPossible) times += 1;
    return isPossible;
  };
  const look = releaseGrownMemory({ grownBytes: 16, usedBytes: () => held, release });
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
