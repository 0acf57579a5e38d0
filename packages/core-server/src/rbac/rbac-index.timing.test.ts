import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leastMs } from '../../../../test/harness/index.ts';
import { largePolicy } from '../../test/large-policy.ts';
import { rbacAuthorizer } from './rbac-authorizer.ts';

/** About ten times the duration on an idle machine; a scan of all bindings takes much longer. */
const DECISION_MS_MAX = 0.06;

test('a decision takes microseconds with 10,000 bindings of 1,000 roles', async (t) => {
  const { index, requests } = largePolicy();
  const authorize = rbacAuthorizer(index);
  const ms = await leastMs(DECISION_MS_MAX, () => {
    const startMs = performance.now();
    for (const request of requests) authorize(request);
    return (performance.now() - startMs) / requests.length;
  });
  t.diagnostic(`${(ms * 1000).toFixed(2)} µs for a decision`);
  assert.ok(ms < DECISION_MS_MAX, `${ms} ms for a decision`);
});
