/**
 * Rules that are made to take time go to the thread by their cost, which is the same on every machine. How long they
 * hold up the loop before is in `expensive-rules.timing.test.ts`.
 */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { burners } from '../../../cel/test/burners.ts';
import { burnerObject, expensiveValidator } from '../../test/expensive-rules.ts';
import { loopLimits } from './loop-limits.ts';
import type { ValidationThread } from './validate-context.ts';
import { openValidationThread } from './validation-thread.ts';

/** Each takes about 200 ms of CPU, half of it in the thread. */
const PART = process.env.TRIBUTARY_FULL === '1' ? 1 : 12;

test('expensive rules are evaluated in the thread, whatever the clock says', async () => {
  let usesThread = false;
  const thread: ValidationThread = {
    allowance: () => ({ ...loopLimits, isOver: () => false }),
    validateRules: async () => {
      usesThread = true;
      return { errors: [], warnings: [], tookMs: 0 };
    },
    runJob: () => assert.fail('rules alone are asked'),
    decodeYaml: () => assert.fail('rules alone are asked'),
    close: async () => {},
  };
  const onLoop: string[] = [];
  for (const rule of burners) {
    usesThread = false;
    const context = { thread, cancellation: new AbortController() };
    await expensiveValidator(rule).validateInContext(burnerObject, context);
    if (!usesThread) onLoop.push(rule);
  }
  // One of them costs less than it takes: that is what the clock is for.
  assert.ok(onLoop.length <= 1, `on the loop: ${onLoop.join('\n')}`);
});

describe('the thread says what the loop would have of', () => {
  const thread = openValidationThread({ loop: { ms: 0 } });
  after(() => thread.close());

  for (const rule of burners.filter((_, index) => index % PART === 0)) {
    test(rule.slice(0, 120), async () => {
      const context = { thread, cancellation: new AbortController() };
      const errors = await expensiveValidator(rule).validateInContext(burnerObject, context);
      assert.deepEqual(errors, expensiveValidator(rule).validate(burnerObject));
    });
  }
});
