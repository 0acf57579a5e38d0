import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Slots } from './slots.ts';

const never = new AbortController().signal;

test('permits are handed on in order of asking', async () => {
  const slots = new Slots(1);
  await slots.acquire(never);
  const order: string[] = [];
  const first = slots.acquire(never).then(() => order.push('first'));
  const second = slots.acquire(never).then(() => order.push('second'));
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([order, slots.waiting], [[], 2]);
  slots.release();
  await first;
  assert.deepEqual(order, ['first']);
  slots.release();
  await second;
  assert.deepEqual(order, ['first', 'second']);
});

test('who leaves while waiting gives its place up, and a permit is not lost', async () => {
  const slots = new Slots(1);
  await slots.acquire(never);
  const leaving = new AbortController();
  const left = slots.acquire(leaving.signal);
  const staying = slots.acquire(never);
  leaving.abort(new Error('gone'));
  await assert.rejects(left, /gone/);
  slots.release();
  await staying;
  slots.release();
  await slots.acquire(never);
  await assert.rejects(slots.acquire(leaving.signal), /gone/);
  assert.equal(slots.waiting, 0);
});
