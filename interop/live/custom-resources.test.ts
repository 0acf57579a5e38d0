/** Conversion webhooks and the real kube-apiserver: what it says is what was recorded, and what we say. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireProgram } from '../../test/harness/index.ts';
import { startCoreReference } from '../core/reference.ts';
import {
  askConversions,
  conversionLists,
  readRecorded,
} from '../custom-resources/conversion-responses.ts';
import { compareRow } from '../differential/verdict.ts';

test('kube-apiserver treats conversion webhooks as it was recorded', async (t) => {
  if ((await requireProgram(t, 'go')) === undefined) return;
  const recorded = await readRecorded();
  const responses = await askConversions(t, await startCoreReference(t), 'live');
  for (const [name, ours] of Object.entries(recorded)) {
    await t.test(name, () => {
      const verdict = compareRow(name, { ours, reference: responses[name] ?? [] }, conversionLists);
      assert.equal(verdict.outcome, 'green', verdict.message);
    });
  }
});
