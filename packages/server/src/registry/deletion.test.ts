import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject, ObjectMeta } from '@tributary/apimachinery';
import { type DeletionWish, isReadyToGo, planDeletion } from './deletion.ts';

const nowMs = Date.parse('2026-01-02T03:04:05.678Z');
const thing = (metadata: ObjectMeta): KubeObject => ({ apiVersion: 'v1', kind: 'Thing', metadata });

const cases: {
  name: string;
  metadata: ObjectMeta;
  wish?: DeletionWish;
  want: ObjectMeta | 'removed';
}[] = [
  { name: 'nothing holds it', metadata: {}, want: 'removed' },
  {
    name: 'a finalizer holds it',
    metadata: { finalizers: ['a/b'], generation: 4 },
    want: {
      finalizers: ['a/b'],
      generation: 5,
      deletionTimestamp: '2026-01-02T03:04:05Z',
      deletionGracePeriodSeconds: 0,
    },
  },
  {
    name: 'a second delete keeps the first time',
    metadata: { finalizers: ['a/b'], generation: 4, deletionTimestamp: '2025-01-01T00:00:00Z' },
    want: {
      finalizers: ['a/b'],
      generation: 4,
      deletionTimestamp: '2025-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 0,
    },
  },
  {
    name: 'foreground waits for dependents',
    metadata: {},
    wish: { propagationPolicy: 'Foreground' },
    want: {
      finalizers: ['foregroundDeletion'],
      deletionTimestamp: '2026-01-02T03:04:05Z',
      deletionGracePeriodSeconds: 0,
    },
  },
  {
    name: 'the old spelling of orphan',
    metadata: { finalizers: ['foregroundDeletion'] },
    wish: { orphanDependents: true },
    want: {
      finalizers: ['orphan'],
      deletionTimestamp: '2026-01-02T03:04:05Z',
      deletionGracePeriodSeconds: 0,
    },
  },
  {
    name: 'background takes the collector’s finalizers away',
    metadata: { finalizers: ['orphan', 'foregroundDeletion'] },
    wish: { propagationPolicy: 'Background' },
    want: 'removed',
  },
];

for (const { name, metadata, wish = {}, want } of cases) {
  test(name, () => {
    const plan = planDeletion(thing(metadata), wish, nowMs);
    assert.deepEqual(plan.kind === 'remove' ? 'removed' : plan.object.metadata, want);
  });
}

test('the last finalizer to go takes the object with it', () => {
  const dying = { deletionTimestamp: '2026-01-02T03:04:05Z', deletionGracePeriodSeconds: 0 };
  assert.equal(isReadyToGo(thing(dying)), true);
  assert.equal(isReadyToGo(thing({ ...dying, finalizers: ['a/b'] })), false);
  assert.equal(isReadyToGo(thing({ ...dying, deletionGracePeriodSeconds: 30 })), false);
  assert.equal(isReadyToGo(thing({})), false);
});
