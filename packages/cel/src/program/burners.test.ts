/**
 * Expressions made to burn time or memory stop within their budget: the whole one, which a server grants in a thread,
 * and the small part of it that it grants on the event loop. How soon exactly is measured in burners.timing.test.ts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  burnerData,
  burnerEnvironment,
  burners,
  burnerVariables,
  compiledBurner,
} from '../../test/burners.ts';
import { timed } from '../../test/thread-time.ts';
import { PER_CALL_COST_LIMIT } from './compile.ts';

/** CPU time of the thread, more than ten times what is measured. Without a budget most of them take minutes. */
const budgets = [
  { name: 'a part', costLimit: 50_000, cpuMsMax: 400, stoppedMin: 50 },
  { name: 'all', costLimit: PER_CALL_COST_LIMIT, cpuMsMax: 1000, stoppedMin: 50 },
];

const environment = burnerEnvironment();
const data = burnerData();

for (const { name, costLimit, cpuMsMax, stoppedMin } of budgets) {
  test(`with ${name} of the budget every expression ends soon, most by the budget`, () => {
    const late: string[] = [];
    let stopped = 0;
    for (const expression of burners) {
      const program = compiledBurner(environment, expression);
      const variables = burnerVariables(data);
      let outcome = '';
      const cpuMs = timed(() => {
        outcome = program.evaluate(variables, { costLimit }).outcome;
      });
      if (outcome === 'exceeded') stopped += 1;
      if (cpuMs >= cpuMsMax) late.push(`${cpuMs.toFixed(0)} ms: ${expression}`);
    }
    assert.deepEqual(late, []);
    assert.ok(stopped >= stoppedMin, `only ${stopped} of ${burners.length} are stopped`);
  });
}
