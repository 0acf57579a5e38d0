/** Latency of other users while a user floods `tributary up`. fairness.test.ts checks the queues. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startFloodedCore } from './flood.ts';

const FLOOD_MS = 3_000;
const TIMES_MIN = 12;
/** Far above the latency on an idle machine; a starved request is rejected after fifteen seconds. */
const P99_MS_MAX = 2_000;

test('a flood of writes delays requests of other users only a little', async (t) => {
  const { others, flood: start } = await startFloodedCore(t);
  const floodMs: number[] = [];
  const flood = start((tookMs) => floodMs.push(tookMs));
  const startMs = performance.now();
  const tookMs: Record<string, number[]> = {};
  await Promise.all(
    Object.entries(others).map(async ([name, send]: [string, () => Promise<number>]) => {
      const own: number[] = [];
      tookMs[name] = own;
      while (own.length < TIMES_MIN || performance.now() - startMs < FLOOD_MS) {
        const sentMs = performance.now();
        const status = await send();
        own.push(performance.now() - sentMs);
        assert.equal(Math.floor(status / 100), 2, `${name}: ${status}`);
      }
    }),
  );
  await flood.stop();
  const shown = JSON.stringify(
    Object.fromEntries(
      Object.entries({ ...tookMs, flood: floodMs }).map(([name, all]) => [name, figuresOf(all)]),
    ),
  );
  t.diagnostic(shown);
  for (const own of Object.values(tookMs)) assert.ok(figuresOf(own).p99 < P99_MS_MAX, shown);
  // In a single queue, a write would take as long as those of the flood.
  assert.ok(figuresOf(tookMs.write ?? []).median < figuresOf(floodMs).median * 0.75, shown);
});

function figuresOf(tookMs: readonly number[]): { count: number; median: number; p99: number } {
  const sorted = tookMs.toSorted((a, b) => a - b);
  const at = (part: number) => Math.round(sorted[Math.floor(part * (sorted.length - 1))] ?? 0);
  return { count: sorted.length, median: at(0.5), p99: at(0.99) };
}
