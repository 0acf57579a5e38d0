import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { batcher } from './batcher.ts';

test('what comes in one turn is given on together, in its order', async () => {
  const given: (readonly number[])[] = [];
  const { add } = batcher<number>((members) => given.push(members));
  for (const member of [1, 2, 3]) add(member);
  assert.deepEqual(given, []);
  await turn();
  add(4);
  await turn();
  assert.deepEqual(given, [[1, 2, 3], [4]]);
});

test('the moment may be another', async () => {
  const given: (readonly number[])[] = [];
  const { add } = batcher<number>((members) => given.push(members), { schedule: queueMicrotask });
  add(1);
  add(2);
  assert.deepEqual(given, []);
  await Promise.resolve();
  assert.deepEqual(given, [[1, 2]]);
});

test('what waits is given on when somebody asks for it, and only once', async () => {
  const given: (readonly number[])[] = [];
  const { add, flush } = batcher<number>((members) => given.push(members));
  flush();
  add(1);
  flush();
  await turn();
  assert.deepEqual(given, [[1]]);
});

test('no more wait than may', async () => {
  const given: (readonly number[])[] = [];
  const { add } = batcher<number>((members) => given.push(members), { sizeMax: 2 });
  for (const member of [1, 2, 3, 4, 5]) add(member);
  assert.deepEqual(given, [
    [1, 2],
    [3, 4],
  ]);
  await turn();
  assert.deepEqual(given.at(-1), [5]);
});
