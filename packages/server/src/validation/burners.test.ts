/**
 * Rules that are made to take time go to the thread by their cost, which is the same on every machine. How long they
 * hold up the loop before is in `burners.timing.test.ts`.
 */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { burners } from '../../../cel/test/burners.ts';
import { burnerJudge, burnerObject } from '../../test/burner-judge.ts';
import { loopLimits } from './loop-limits.ts';
import type { JudgingThread } from './validate-context.ts';
import { judgingThread } from './validation-thread.ts';

/** Each takes about 200 ms of CPU, half of it in the thread. */
const PART = process.env.TRIBUTARY_FULL === '1' ? 1 : 12;

test('rules that are made to burn time are asked in the thread, whatever the clock says', () => {
  const thread: JudgingThread = {
    allowance: () => ({ ...loopLimits, isOver: () => false }),
    judgeRules: async () => ({ errors: [], warnings: [], tookMs: 0 }),
    judge: () => assert.fail('rules alone are asked'),
    decodeYaml: () => assert.fail('rules alone are asked'),
    close: async () => {},
  };
  const onLoop = burners.filter((rule) => {
    const context = { thread, waiting: new AbortController() };
    return !(burnerJudge(rule)(burnerObject, { context }) instanceof Promise);
  });
  // One of them costs less than it takes: that is what the clock is for.
  assert.ok(onLoop.length <= 1, `on the loop: ${onLoop.join('\n')}`);
});

describe('the thread says what the loop would have of', () => {
  const thread = judgingThread({ loop: { ms: 0 } });
  after(() => thread.close());

  for (const rule of burners.filter((_, index) => index % PART === 0)) {
    test(rule.slice(0, 120), async () => {
      const context = { thread, waiting: new AbortController() };
      const answer = burnerJudge(rule)(burnerObject, { context });
      assert.ok(answer instanceof Promise, 'it is asked in the thread');
      assert.deepEqual(await answer, burnerJudge(rule)(burnerObject));
    });
  }
});
