import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leastMs, temporaryDirectory } from '../../../../test/harness/index.ts';
import { controlPlanePki } from './control-plane.ts';

const BOUND_MS = 15;

test('valid certificates are read within 15 ms', async (t) => {
  const directory = await temporaryDirectory(t);
  const options = { nowMs: Date.parse('2026-06-01T00:00:00Z'), names: ['api.example.com'] };
  await controlPlanePki(directory, options);
  const ms = await leastMs(BOUND_MS, async () => {
    const startMs = performance.now();
    const { made } = await controlPlanePki(directory, options);
    assert.deepEqual(made, []);
    return performance.now() - startMs;
  });
  t.diagnostic(`${ms.toFixed(1)} ms`);
  assert.ok(ms < BOUND_MS, `${ms} ms`);
});
