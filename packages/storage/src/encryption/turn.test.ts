import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapInTurns } from './turn.ts';

const items = Array.from({ length: 2000 }, (_, at) => at);

/** About 20 µs of work. */
function work(item: number): number {
  const end = performance.now() + 0.02;
  while (performance.now() < end);
  return item + 1;
}

test('maps all items in order', async () => {
  assert.deepEqual(
    await mapInTurns(items, (item) => item + 1),
    items.map((item) => item + 1),
  );
});

test('lets others have a turn while it takes long', async () => {
  let turns = 0;
  const ticking = setInterval(() => {
    turns += 1;
  }, 1);
  await mapInTurns(items, work);
  clearInterval(ticking);
  assert.ok(turns >= 3, `${turns} turns in 40 ms of work`);
});

test('ends when the signal fires between two turns', async () => {
  const reason = new Error('gone');
  const stop = new AbortController();
  setTimeout(() => stop.abort(reason), 1);
  let mapped = 0;
  const count = (item: number) => {
    mapped += 1;
    return work(item);
  };
  await assert.rejects(mapInTurns(items, count, stop.signal), (error) => error === reason);
  assert.ok(mapped < items.length);
});
