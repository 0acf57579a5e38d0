/** What is made to take time or memory is stopped soon, the first time it is met as well as later. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  burnerData,
  burnerEnvironment,
  burners,
  burnerVariables,
  compiledBurner,
} from '../test/burners.ts';

/** How long nothing else may run. */
const LOOP_MS_MAX = 50;
const WARM_RUNS = 2;
/** So many are stopped; the others are cheap enough to end by themselves. */
const STOPPED_MIN = 50;

/**
 * What a fixed piece of work takes on a machine that does nothing else. Where others share the cores, the caches and the
 * memory, the same work takes longer, and so does everything else.
 */
const YARDSTICK_MS = 8;

const environment = burnerEnvironment();
const data = burnerData();

/** Of this thread alone: the garbage collector's helpers and other tests do not stop the loop. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function timed(work: () => void): number {
  const before = threadMs();
  work();
  return threadMs() - before;
}

/** Allocates, looks up and calls, as an evaluation does. */
function yardstick(): void {
  const seen = new Map<string, { readonly index: number }>();
  let sum = 0n;
  for (let index = 0; index < 60_000; index++) {
    seen.set(`key-${index % 5000}`, { index });
    sum += BigInt(seen.get(`key-${(index * 7) % 5000}`)?.index ?? 0);
  }
  assert.ok(sum > 0n);
}

/** How many times slower this machine is at the moment. */
function slowness(): number {
  return Math.max(1, timed(yardstick) / YARDSTICK_MS);
}

yardstick();

let stopped = 0;

for (const expression of burners) {
  test(`is over soon: ${expression.slice(0, 120)}`, () => {
    const program = compiledBurner(environment, expression);
    let outcome = '';
    const run = () => {
      const variables = burnerVariables(data);
      return timed(() => {
        outcome = program.evaluate(variables).outcome;
      });
    };
    const before = slowness();
    const times = Array.from({ length: 1 + WARM_RUNS }, run);
    const factor = Math.max(before, slowness());
    const [cold = 0, ...others] = times.map((time) => time / factor);
    const warm = Math.min(...others);
    if (outcome === 'exceeded') stopped += 1;
    assert.ok(warm < LOOP_MS_MAX, `${warm.toFixed(1)} ms when it is known`);
    assert.ok(cold < LOOP_MS_MAX, `${cold.toFixed(1)} ms the first time`);
  });
}

test('most of them are stopped', () => assert.ok(stopped >= STOPPED_MIN, `only ${stopped}`));
