import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapInTurns } from './map-in-turns.ts';

const items = Array.from({ length: 2000 }, (_, at) => at);

/** A clock that advances only by the work: a millisecond for each item. */
function workingTime() {
  let ms = 0;
  const work = (item: number): number => {
    ms += 1;
    return item + 1;
  };
  return { nowMs: () => ms, work };
}

/** The number of turns of the event loop during the work. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const turn = (): void => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await work;
  isDone = true;
  return turns;
}

test('mapInTurns maps all items in order', async () => {
  assert.deepEqual(
    await mapInTurns(items, (item) => item + 1),
    items.map((item) => item + 1),
  );
});

test('mapInTurns yields to the event loop while it takes long', async () => {
  const { nowMs, work } = workingTime();
  const turns = await turnsDuring(mapInTurns(items, work, { nowMs }));
  // The time is checked after every 32 items, and a turn is 5 ms.
  assert.ok(turns >= 60, `${turns} turns in 2000 ms of work`);
});

test('mapInTurns takes one turn for quick items', async () => {
  const turns = await turnsDuring(mapInTurns(items, (item) => item, { nowMs: () => 0 }));
  assert.ok(turns <= 1, `${turns} turns`);
});

test('mapInTurns ends when the signal fires between two turns', async () => {
  const reason = new Error('gone');
  const stop = new AbortController();
  const { nowMs, work } = workingTime();
  let mapped = 0;
  const count = (item: number) => {
    mapped += 1;
    if (mapped === 100) stop.abort(reason);
    return work(item);
  };
  const mapping = mapInTurns(items, count, { signal: stop.signal, nowMs });
  await assert.rejects(mapping, (error) => error === reason);
  assert.equal(mapped, 128);
});
