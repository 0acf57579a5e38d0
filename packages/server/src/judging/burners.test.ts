/** Rules that are made to take time hold up nobody: what they are asked on the loop is short, whatever they are. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { KubeObject } from '@tributary/apimachinery';
import { leastMs } from '../../../../test/harness/index.ts';
import { burnerData, burnerSchema, burners } from '../../../cel/test/burners.ts';
import { slowness, timed } from '../../../cel/test/thread-time.ts';
import type { Eventually } from '../eventually.ts';
import { objectJudge } from '../schema/schema-validation.ts';
import { type JsonSchema, rootSchema } from '../schema.ts';
import { type JudgingThread, judgingThread } from './judging-thread.ts';

/** How long nothing else may run. */
const LOOP_MS_MAX = 50;
/** So many take long enough to be asked in the thread. */
const PROMISED_MIN = 50;

const object = {
  apiVersion: 'example.com/v1',
  kind: 'Burner',
  metadata: { name: 'a' },
  spec: burnerData(),
} as unknown as KubeObject;

function judgeOf(rule: string) {
  const spec = { ...burnerSchema, 'x-kubernetes-validations': [{ rule }] };
  return objectJudge(rootSchema({ type: 'object', properties: { spec } } as JsonSchema));
}

describe('an expression that is made to burn time', () => {
  let thread: JudgingThread;
  let promised = 0;
  before(async () => {
    thread = judgingThread();
    // A schema without rules looks the same to everything but the rules, and all code is loaded then.
    judgeOf('true')(object);
  });
  after(() => thread.close());

  for (const rule of burners) {
    test(rule.slice(0, 120), async () => {
      let answer: Eventually<readonly unknown[]> = [];
      const leastTook = await leastMs(LOOP_MS_MAX, async () => {
        await answer;
        const context = { thread, waiting: new AbortController() };
        const judge = judgeOf(rule);
        const factor = slowness();
        const took = timed(() => {
          answer = judge(object, { context });
        });
        return took / Math.max(factor, slowness());
      });
      if (answer instanceof Promise) promised += 1;
      assert.ok(leastTook < LOOP_MS_MAX, `${leastTook.toFixed(1)} ms in one go`);
      // Compiled anew: a pattern remembers what it has learned about texts, and is faster with the same one.
      const wanted = judgeOf(rule)(object);
      assert.deepEqual(await answer, wanted, 'the thread says what the loop would have');
    });
  }

  test('most are asked in the thread', () => {
    assert.ok(promised >= PROMISED_MIN, `only ${promised}`);
  });
});
