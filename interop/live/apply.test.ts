/**
 * The same histories of several managers, sent to the original and to ours: objects, their owners and errors
 * are the same after every step. `APPLY_HISTORIES=1000` runs as many of each kind, `APPLY_SEED` others.
 */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { wardle } from '../../samples/wardle/src/api.ts';
import { createScope } from '../../test/harness/index.ts';
import { type Case, flunderCases, mixtureCases } from '../apply/cases.ts';
import { attempts, compareHistories } from '../apply/compare-histories.ts';
import { describeFinding } from '../apply/describe-finding.ts';
import { api } from '../apply/mixture.ts';
import type { Side } from '../apply/side.ts';
import { defineMixtures, referenceSide, startOurSide } from '../apply/sides.ts';
import { flunders, mixtures, type Subject } from '../apply/subject.ts';
import { type ReferenceStack, startReferenceStack } from '../stack.ts';

const HISTORIES = Number(process.env.APPLY_HISTORIES ?? 200);
const SEED = Number(process.env.APPLY_SEED ?? 1);

suite('histories of managers', () => {
  const scope = createScope('apply');
  let stack: ReferenceStack;

  before(async () => {
    stack = await startReferenceStack({ scope });
  });
  after(async () => {
    await scope.close();
    await stack.stop();
  });

  function compared(
    subject: Subject,
    cases: readonly Case[],
    start: () => Promise<readonly [Side, Side]>,
  ): void {
    suite(subject.name, () => {
      let sides: readonly [Side, Side];
      const place = () => ({ subject, sides, namespace: 'default' });

      before(async () => {
        sides = await start();
      });

      for (const [index, { name, history }] of cases.entries()) {
        test(name, async () => {
          const attempt = attempts({ ...place(), prefix: `case-${index}` });
          const { differs } = await attempt(history);
          if (differs) assert.fail(describeFinding({ seed: SEED, history, difference: differs }));
        });
      }

      test('random', async (t) => {
        const run = await compareHistories({
          ...place(),
          seed: SEED,
          count: HISTORIES,
          prefix: 'random',
        });
        t.diagnostic(`${run.count} histories of ${run.steps} steps, ${run.unsteady} unsteady`);
        for (const [reason, times] of run.known) t.diagnostic(`${times} times: ${reason}`);
        assert.deepEqual(run.findings.map(describeFinding), []);
        assert.equal(run.count, HISTORIES);
      });
    });
  }

  compared(mixtures, mixtureCases, async () => {
    const original = referenceSide(scope, stack.kubeApiserver);
    await defineMixtures(original);
    return [await startOurSide(scope, api, stack.pki), original];
  });

  compared(flunders, flunderCases, async () => [
    await startOurSide(scope, wardle, stack.pki),
    referenceSide(scope, stack.sampleApiserver),
  ]);
});
