import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject, ObjectMeta } from '@tributary/apimachinery';
import type { DeletionOptions } from '../definition/lifecycle.ts';
import { isReadyToGo, planDeletion } from './deletion.ts';

const nowMs = Date.parse('2026-01-02T03:04:05.678Z');
const thing = (metadata: ObjectMeta): KubeObject => ({ apiVersion: 'v1', kind: 'Thing', metadata });

const cases: {
  name: string;
  metadata: ObjectMeta;
  options?: DeletionOptions;
  /** For a kind with graceful deletion. */
  graceSeconds?: number;
  want: ObjectMeta | 'remove' | 'pending';
}[] = [
  { name: 'nothing holds it', metadata: {}, want: 'remove' },
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
    options: { propagationPolicy: 'Foreground' },
    want: {
      finalizers: ['foregroundDeletion'],
      deletionTimestamp: '2026-01-02T03:04:05Z',
      deletionGracePeriodSeconds: 0,
    },
  },
  {
    name: 'the old spelling of orphan',
    metadata: { finalizers: ['foregroundDeletion'] },
    options: { orphanDependents: true },
    want: {
      finalizers: ['orphan'],
      deletionTimestamp: '2026-01-02T03:04:05Z',
      deletionGracePeriodSeconds: 0,
    },
  },
  {
    name: 'background takes the collector’s finalizers away',
    metadata: { finalizers: ['orphan', 'foregroundDeletion'] },
    options: { propagationPolicy: 'Background' },
    want: 'remove',
  },
  {
    name: 'of two policies that it carries, the first counts',
    metadata: { finalizers: ['a/b', 'foregroundDeletion', 'orphan'] },
    want: {
      finalizers: ['a/b', 'foregroundDeletion'],
      deletionTimestamp: '2026-01-02T03:04:05Z',
      deletionGracePeriodSeconds: 0,
    },
  },
  {
    name: 'grace as the kind says',
    metadata: { generation: 1 },
    graceSeconds: 30,
    want: {
      generation: 2,
      deletionTimestamp: '2026-01-02T03:04:35Z',
      deletionGracePeriodSeconds: 30,
    },
  },
  {
    name: 'grace as the client says',
    metadata: {},
    options: { gracePeriodSeconds: 5 },
    graceSeconds: 30,
    want: { deletionTimestamp: '2026-01-02T03:04:10Z', deletionGracePeriodSeconds: 5 },
  },
  {
    name: 'a negative grace is the shortest',
    metadata: {},
    options: { gracePeriodSeconds: -3 },
    graceSeconds: 30,
    want: { deletionTimestamp: '2026-01-02T03:04:06Z', deletionGracePeriodSeconds: 1 },
  },
  {
    name: 'no grace',
    metadata: {},
    options: { gracePeriodSeconds: 0 },
    graceSeconds: 30,
    want: 'remove',
  },
  {
    name: 'no grace, but a finalizer',
    metadata: { finalizers: ['a/b'] },
    options: { gracePeriodSeconds: 0 },
    graceSeconds: 30,
    want: {
      finalizers: ['a/b'],
      deletionTimestamp: '2026-01-02T03:04:05Z',
      deletionGracePeriodSeconds: 0,
    },
  },
  {
    name: 'a second delete without options changes nothing',
    metadata: { deletionTimestamp: '2026-01-02T03:04:35Z', deletionGracePeriodSeconds: 30 },
    graceSeconds: 30,
    want: 'pending',
  },
  {
    name: 'a second delete cannot lengthen the grace',
    metadata: { deletionTimestamp: '2026-01-02T03:04:35Z', deletionGracePeriodSeconds: 30 },
    options: { gracePeriodSeconds: 60 },
    graceSeconds: 30,
    want: 'pending',
  },
  {
    name: 'a second delete shortens the grace',
    metadata: {
      generation: 2,
      deletionTimestamp: '2026-01-02T03:04:35Z',
      deletionGracePeriodSeconds: 30,
    },
    options: { gracePeriodSeconds: 10 },
    graceSeconds: 30,
    want: {
      generation: 2,
      deletionTimestamp: '2026-01-02T03:04:15Z',
      deletionGracePeriodSeconds: 10,
    },
  },
  {
    name: 'a second delete takes the grace away',
    metadata: { deletionTimestamp: '2026-01-02T03:04:35Z', deletionGracePeriodSeconds: 30 },
    options: { gracePeriodSeconds: 0 },
    graceSeconds: 30,
    want: 'remove',
  },
  {
    name: 'a grace period has no effect on kinds without graceful deletion',
    metadata: {},
    options: { gracePeriodSeconds: 30 },
    want: 'remove',
  },
];

for (const { name, metadata, options = {}, graceSeconds, want } of cases) {
  test(name, () => {
    const plan = planDeletion(thing(metadata), options, { nowMs, graceSeconds });
    assert.deepEqual(plan.kind === 'mark' ? plan.object.metadata : plan.kind, want);
  });
}

test('the last finalizer to go takes the object with it', () => {
  const dying = { deletionTimestamp: '2026-01-02T03:04:05Z', deletionGracePeriodSeconds: 0 };
  assert.equal(isReadyToGo(thing(dying)), true);
  assert.equal(isReadyToGo(thing({ ...dying, finalizers: ['a/b'] })), false);
  assert.equal(isReadyToGo(thing({ ...dying, deletionGracePeriodSeconds: 30 })), false);
  assert.equal(isReadyToGo(thing({})), false);
});

test('an object whose deletion is graceful goes with its times', () => {
  const live = thing({ generation: 1 });
  const plan = planDeletion(live, { gracePeriodSeconds: 0 }, { nowMs, graceSeconds: 30 });
  assert.deepEqual(plan, {
    kind: 'remove',
    object: thing({
      generation: 2,
      deletionTimestamp: '2026-01-02T03:04:05Z',
      deletionGracePeriodSeconds: 0,
    }),
  });
  assert.deepEqual(planDeletion(live, {}, { nowMs, graceSeconds: undefined }), { kind: 'remove' });
});

const orphaning: {
  name: string;
  finalizers?: string[];
  options?: DeletionOptions;
  want: string[];
}[] = [
  { name: 'nobody says anything', want: ['orphan'] },
  { name: 'it has another finalizer', finalizers: ['a/b'], want: ['a/b', 'orphan'] },
  {
    name: 'it waits for dependents',
    finalizers: ['foregroundDeletion'],
    want: ['foregroundDeletion'],
  },
  { name: 'it leaves them behind already', finalizers: ['orphan'], want: ['orphan'] },
  {
    name: 'the client wants them gone first',
    options: { propagationPolicy: 'Foreground' },
    want: ['foregroundDeletion'],
  },
  {
    name: 'the client wants them gone',
    finalizers: ['a/b'],
    options: { propagationPolicy: 'Background' },
    want: ['a/b'],
  },
  {
    name: 'the client wants them gone, in old words',
    finalizers: ['a/b'],
    options: { orphanDependents: false },
    want: ['a/b'],
  },
];
for (const { name, finalizers = [], options = {}, want } of orphaning) {
  test(`of a kind that leaves dependents behind, when ${name}`, () => {
    const rules = { nowMs, graceSeconds: undefined, lifecycle: { orphansByDefault: {} } };
    const plan = planDeletion(thing({ finalizers }), options, rules);
    assert.deepEqual(plan.kind === 'mark' && plan.object.metadata.finalizers, want);
  });
}

test('policies mean nothing to a kind that nobody collects', () => {
  const rules = { nowMs, graceSeconds: undefined, lifecycle: { ignoresOwnership: true } };
  for (const propagationPolicy of ['Foreground', 'Orphan', 'Background'] as const) {
    const live = thing({ finalizers: ['orphan'] });
    assert.deepEqual(planDeletion(live, { propagationPolicy }, rules), { kind: 'remove' });
  }
});
