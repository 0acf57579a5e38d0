/** Expensive rules do not block the event loop: their evaluation there is short, whatever they are. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { leastMs } from '../../../../test/harness/index.ts';
import { burners } from '../../../cel/test/burners.ts';
import { slowness, timed } from '../../../cel/test/thread-time.ts';
import { burnerObject, expensiveValidator } from '../../test/expensive-rules.ts';
import type { ValidationThread } from './validate-context.ts';
import { openValidationThread } from './validation-thread.ts';

/** How long nothing else may run. */
const LOOP_MS_MAX = 50;

describe('an expression that is made to burn time holds up the loop shortly', () => {
  let thread: ValidationThread;
  before(() => {
    thread = openValidationThread();
    // A schema without rules looks the same to everything but the rules, and all code is loaded then.
    expensiveValidator('true').validate(burnerObject);
  });
  after(() => thread.close());

  for (const rule of burners) {
    test(rule.slice(0, 120), async () => {
      let validation: Promise<readonly unknown[]> = Promise.resolve([]);
      const leastTook = await leastMs(LOOP_MS_MAX, async () => {
        await validation;
        const context = { thread, cancellation: new AbortController() };
        const validator = expensiveValidator(rule);
        const factor = slowness();
        const took = timed(() => {
          validation = validator.validateInContext(burnerObject, context);
        });
        return took / Math.max(factor, slowness());
      });
      await validation;
      assert.ok(leastTook < LOOP_MS_MAX, `${leastTook.toFixed(1)} ms in one go`);
    });
  }
});
