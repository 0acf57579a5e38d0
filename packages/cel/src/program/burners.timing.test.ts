/**
 * Expressions made to take time or memory end soon, in their first evaluation as well as later: by the whole budget,
 * which a server gives in a thread, and by the small part of it on the event loop.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leastMs } from '../../../../test/harness/index.ts';
import {
  burnerData,
  burnerEnvironment,
  burners,
  burnerVariables,
  compiledBurner,
} from '../../test/burners.ts';
import { slowness, timed } from '../../test/thread-time.ts';
import { PER_CALL_COST_LIMIT } from './compile.ts';

/** Measured are up to 65 ms for all of it, and up to 25 ms for a part, most of that for reading megabytes once. */
const budgets = [
  { name: 'a part', costLimit: 50_000, msMax: 40 },
  { name: 'all', costLimit: PER_CALL_COST_LIMIT, msMax: 130 },
];
const WARM_RUNS = 2;

const environment = burnerEnvironment();
const data = burnerData();

for (const { name, costLimit, msMax } of budgets) {
  for (const expression of burners) {
    test(`with ${name} of its budget it is over soon: ${expression.slice(0, 120)}`, async () => {
      let warm = Number.POSITIVE_INFINITY;
      const cold = await leastMs(msMax, () => {
        const program = compiledBurner(environment, expression);
        const run = () => {
          const variables = burnerVariables(data);
          return timed(() => void program.evaluate(variables, { costLimit }));
        };
        const before = slowness();
        const times = Array.from({ length: 1 + WARM_RUNS }, run);
        const factor = Math.max(before, slowness());
        const [first = 0, ...others] = times.map((time) => time / factor);
        warm = Math.min(warm, ...others);
        return first;
      });
      assert.ok(warm < msMax, `${warm.toFixed(1)} ms when it is known`);
      assert.ok(cold < msMax, `${cold.toFixed(1)} ms the first time`);
    });
  }
}
