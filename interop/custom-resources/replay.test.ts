/** Conversion webhooks, honest and otherwise: what we make of them is what kube-apiserver made of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skipOrFail } from '../../test/harness/prerequisites.ts';
import { startOurCore, whyNotOurs } from '../core/ours.ts';
import { compareRow } from '../differential/verdict.ts';
import { askConversions, conversionLists, readRecorded } from './conversion-responses.ts';
import { behaviours } from './webhook.ts';

test('objects that a webhook converts are answered like kube-apiserver did', async (t) => {
  const why = await whyNotOurs();
  if (why !== undefined) return skipOrFail(t, why);
  const recorded = await readRecorded();
  const responses = await askConversions(t, await startOurCore(t), 'ours');
  for (const [name, reference] of Object.entries(recorded)) {
    await t.test(name, () => {
      const verdict = compareRow(name, { ours: responses[name] ?? [], reference }, conversionLists);
      assert.equal(verdict.outcome, 'green', verdict.message);
    });
  }
});

test('every way to misbehave was recorded', async () => {
  const recorded = new Set(Object.keys(await readRecorded()));
  for (const name of Object.keys(behaviours)) assert.ok(recorded.has(`conversion: ${name}`), name);
});
