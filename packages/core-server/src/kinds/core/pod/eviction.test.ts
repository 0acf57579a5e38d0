/** Concurrent evictions do not exceed a budget. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KubeObject, StatusError } from '@tributary/apimachinery';
import { pods, serviceAccounts } from '@tributary/client/controller';
import { startTestCore } from '../../../../test/core-fixture.ts';

const budgets = {
  group: 'policy',
  version: 'v1',
  plural: 'poddisruptionbudgets',
  namespaced: true,
} as const;
const PODS = 6;
const ALLOWED = 2;

test('concurrent evictions delete as many pods as the budget allows', async () => {
  await using core = await startTestCore();
  const resource = (type: typeof pods) => core.admin.resource<KubeObject>(type).in('default');
  const labels = { app: 'a' };
  await resource(serviceAccounts)
    .create({ metadata: { name: 'runner' } })
    .catch(() => undefined);
  const names = Array.from({ length: PODS }, (_, index) => `pod-${index}`);
  for (const name of names) {
    const spec = { serviceAccountName: 'runner', containers: [{ name: 'main', image: 'a' }] };
    await resource(pods).create({ metadata: { name, labels }, spec } as never);
    const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    await resource(pods).patch(
      name,
      { kind: 'merge', body: { status } },
      { subresource: 'status' },
    );
  }
  const spec = { minAvailable: PODS - ALLOWED, selector: { matchLabels: labels } };
  await resource(budgets).create({ metadata: { name: 'guard' }, spec } as never);
  const status = {
    observedGeneration: 1,
    disruptionsAllowed: ALLOWED,
    currentHealthy: PODS,
    desiredHealthy: PODS - ALLOWED,
    expectedPods: PODS,
  };
  const part = { subresource: 'status' };
  await resource(budgets).patch('guard', { kind: 'merge', body: { status } }, part);

  const outcomes = await Promise.all(
    names.map((name) =>
      resource(pods)
        .create({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } } as never, {
          subresource: 'eviction',
          retriesMax: 0,
        })
        .then(() => 201)
        .catch((error: unknown) => (error instanceof StatusError ? error.code : error)),
    ),
  );
  const sorted = outcomes.toSorted();
  assert.deepEqual(sorted, [...Array(ALLOWED).fill(201), ...Array(PODS - ALLOWED).fill(429)]);
  const left = await resource(pods).list();
  assert.equal(left.items.length, PODS - ALLOWED);
  const guard = (await resource(budgets).get('guard')) as KubeObject & {
    status: { disruptionsAllowed: number; disruptedPods: object };
  };
  assert.equal(guard.status.disruptionsAllowed, 0);
  assert.equal(Object.keys(guard.status.disruptedPods).length, ALLOWED);
});
