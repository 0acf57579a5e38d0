import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitingNamespaces } from './waiting-namespaces.ts';

const one = { why: 'unavailable', resources: [] };

test('the wait of a server restarts when it was available meanwhile', () => {
  const waiting = waitingNamespaces();
  const times = (groups: readonly string[], nowMs: number) =>
    waiting
      .update('team', new Map(groups.map((group) => [group, one])), nowMs)
      .map(({ groupVersion, sinceMs }) => `${groupVersion} ${sinceMs}`);
  assert.deepEqual(times(['a/v1'], 100), ['a/v1 100']);
  assert.deepEqual(times(['a/v1', 'b/v1'], 200), ['a/v1 100', 'b/v1 200']);
  assert.deepEqual(times(['b/v1'], 300), ['b/v1 200']);
  assert.deepEqual(times(['a/v1', 'b/v1'], 400), ['a/v1 400', 'b/v1 200']);
  assert.deepEqual(waiting.names(), ['team']);
  assert.deepEqual(times([], 500), []);
  assert.deepEqual(waiting.names(), []);
});

const pauses: readonly [waitedMs: number, pauseMs: number][] = [
  [0, 1_000],
  [20_000, 2_000],
  [86_400_000, 15_000],
];
for (const [waitedMs, pauseMs] of pauses) {
  test(`after ${waitedMs} ms the next attempt is in ${pauseMs} ms`, () => {
    const waiting = waitingNamespaces();
    waiting.update('team', new Map([['a/v1', one]]), 0);
    assert.equal(waiting.pauseMs('team', waitedMs), pauseMs);
  });
}
