import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { batcher } from './batcher.ts';

test('members of one turn form one batch in order', async () => {
  const given: (readonly number[])[] = [];
  const { add } = batcher<number>((members) => given.push(members));
  for (const member of [1, 2, 3]) add(member);
  assert.deepEqual(given, []);
  await turn();
  add(4);
  await turn();
  assert.deepEqual(given, [[1, 2, 3], [4]]);
});

test('a custom schedule ends the batch', async () => {
  const given: (readonly number[])[] = [];
  const { add } = batcher<number>((members) => given.push(members), { schedule: queueMicrotask });
  add(1);
  add(2);
  assert.deepEqual(given, []);
  await Promise.resolve();
  assert.deepEqual(given, [[1, 2]]);
});

test('flush handles pending members once', async () => {
  const given: (readonly number[])[] = [];
  const { add, flush } = batcher<number>((members) => given.push(members));
  flush();
  add(1);
  flush();
  await turn();
  assert.deepEqual(given, [[1]]);
});

test('a full batch is handled at once', async () => {
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
