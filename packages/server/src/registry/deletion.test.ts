import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject, ObjectMeta } from '@tributary/apimachinery';
import type { DeletionOptions } from '../definition/lifecycle.ts';
import { isReadyToRemove, planDeletion } from './deletion.ts';

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
  { name: 'an object without finalizers is removed', metadata: {}, want: 'remove' },
  {
    name: 'an object with a finalizer is marked',
    metadata: { finalizers: ['a/b'], generation: 4 },
    want: {
      finalizers: ['a/b'],
      generation: 5,
      deletionTimestamp: '2026-01-02T03:04:05Z',
      deletionGracePeriodSeconds: 0,
    },
  },
  {
    name: 'a second delete keeps the deletionTimestamp',
    metadata: { finalizers: ['a/b'], generation: 4, deletionTimestamp: '2025-01-01T00:00:00Z' },
    want: {
      finalizers: ['a/b'],
      generation: 4,
      deletionTimestamp: '2025-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 0,
    },
  },
  {
    name: 'a Foreground policy adds its finalizer',
    metadata: {},
    options: { propagationPolicy: 'Foreground' },
    want: {
      finalizers: ['foregroundDeletion'],
      deletionTimestamp: '2026-01-02T03:04:05Z',
      deletionGracePeriodSeconds: 0,
    },
  },
  {
    name: 'orphanDependents adds the orphan finalizer',
    metadata: { finalizers: ['foregroundDeletion'] },
    options: { orphanDependents: true },
    want: {
      finalizers: ['orphan'],
      deletionTimestamp: '2026-01-02T03:04:05Z',
      deletionGracePeriodSeconds: 0,
    },
  },
  {
    name: 'a Background policy removes the finalizers of policies',
    metadata: { finalizers: ['orphan', 'foregroundDeletion'] },
    options: { propagationPolicy: 'Background' },
    want: 'remove',
  },
  {
    name: 'the first of two policy finalizers wins',
    metadata: { finalizers: ['a/b', 'foregroundDeletion', 'orphan'] },
    want: {
      finalizers: ['a/b', 'foregroundDeletion'],
      deletionTimestamp: '2026-01-02T03:04:05Z',
      deletionGracePeriodSeconds: 0,
    },
  },
  {
    name: 'the default grace period is that of the kind',
    metadata: { generation: 1 },
    graceSeconds: 30,
    want: {
      generation: 2,
      deletionTimestamp: '2026-01-02T03:04:35Z',
      deletionGracePeriodSeconds: 30,
    },
  },
  {
    name: 'the grace period of the client wins',
    metadata: {},
    options: { gracePeriodSeconds: 5 },
    graceSeconds: 30,
    want: { deletionTimestamp: '2026-01-02T03:04:10Z', deletionGracePeriodSeconds: 5 },
  },
  {
    name: 'a negative grace period is the shortest one',
    metadata: {},
    options: { gracePeriodSeconds: -3 },
    graceSeconds: 30,
    want: { deletionTimestamp: '2026-01-02T03:04:06Z', deletionGracePeriodSeconds: 1 },
  },
  {
    name: 'a grace period of 0 removes the object',
    metadata: {},
    options: { gracePeriodSeconds: 0 },
    graceSeconds: 30,
    want: 'remove',
  },
  {
    name: 'a grace period of 0 marks an object with a finalizer',
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
    name: 'a second delete cannot lengthen the grace period',
    metadata: { deletionTimestamp: '2026-01-02T03:04:35Z', deletionGracePeriodSeconds: 30 },
    options: { gracePeriodSeconds: 60 },
    graceSeconds: 30,
    want: 'pending',
  },
  {
    name: 'a second delete shortens the grace period',
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
    name: 'a second delete with a grace period of 0 removes the object',
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

test('an object without its last finalizer is ready to be removed', () => {
  const dying = { deletionTimestamp: '2026-01-02T03:04:05Z', deletionGracePeriodSeconds: 0 };
  assert.equal(isReadyToRemove(thing(dying)), true);
  assert.equal(isReadyToRemove(thing({ ...dying, finalizers: ['a/b'] })), false);
  assert.equal(isReadyToRemove(thing({ ...dying, deletionGracePeriodSeconds: 30 })), false);
  assert.equal(isReadyToRemove(thing({})), false);
});

test('an object with graceful deletion is removed with its times', () => {
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
  { name: 'there is no policy', want: ['orphan'] },
  { name: 'the object has another finalizer', finalizers: ['a/b'], want: ['a/b', 'orphan'] },
  {
    name: 'the object has the foreground finalizer',
    finalizers: ['foregroundDeletion'],
    want: ['foregroundDeletion'],
  },
  { name: 'the object has the orphan finalizer', finalizers: ['orphan'], want: ['orphan'] },
  {
    name: 'the client sends Foreground',
    options: { propagationPolicy: 'Foreground' },
    want: ['foregroundDeletion'],
  },
  {
    name: 'the client sends Background',
    finalizers: ['a/b'],
    options: { propagationPolicy: 'Background' },
    want: ['a/b'],
  },
  {
    name: 'the client sends orphanDependents false',
    finalizers: ['a/b'],
    options: { orphanDependents: false },
    want: ['a/b'],
  },
];
for (const { name, finalizers = [], options = {}, want } of orphaning) {
  test(`a kind that orphans by default, when ${name}`, () => {
    const rules = { nowMs, graceSeconds: undefined, lifecycle: { orphansByDefault: {} } };
    const plan = planDeletion(thing({ finalizers }), options, rules);
    assert.deepEqual(plan.kind === 'mark' && plan.object.metadata.finalizers, want);
  });
}

test('policies have no effect on kinds that the garbage collector ignores', () => {
  const rules = { nowMs, graceSeconds: undefined, lifecycle: { ignoresOwnership: true } };
  for (const propagationPolicy of ['Foreground', 'Orphan', 'Background'] as const) {
    const live = thing({ finalizers: ['orphan'] });
    assert.deepEqual(planDeletion(live, { propagationPolicy }, rules), { kind: 'remove' });
  }
});
