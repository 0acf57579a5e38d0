/** Conversion webhooks and the real kube-apiserver: what it says is what was recorded, and what we say. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireProgram } from '../../test/harness/index.ts';
import { startCoreReference } from '../core/reference.ts';
import {
  askConversions,
  conversionLists,
  readRecorded,
} from '../custom-resources/conversion-answers.ts';
import { judge } from '../differential/verdict.ts';

test('kube-apiserver treats conversion webhooks as it was recorded', async (t) => {
  if ((await requireProgram(t, 'go')) === undefined) return;
  const recorded = await readRecorded();
  const answers = await askConversions(t, await startCoreReference(t), 'live');
  for (const [name, ours] of Object.entries(recorded)) {
    await t.test(name, () => {
      const verdict = judge(name, { ours, reference: answers[name] ?? [] }, conversionLists);
      assert.equal(verdict.outcome, 'green', verdict.message);
    });
  }
});
