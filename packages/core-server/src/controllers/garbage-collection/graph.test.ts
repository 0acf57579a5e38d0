import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { OwnerReference } from '@tributary/apimachinery';
import { DependencyGraph } from './graph.ts';
import { dependentsOf } from './graph-node.ts';
import type { ObjectReference } from './object-reference.ts';
import type { ObservedObject } from './observed-object.ts';
import { referenceCache } from './reference-cache.ts';

const MAP = { apiVersion: 'v1', kind: 'ConfigMap' };
const ROLE = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' };

/** The uid is the name. */
function object(name: string, options: Partial<ObservedObject> = {}): ObservedObject {
  return {
    namespace: 'here',
    name,
    uid: name,
    owners: [],
    isBeingDeleted: false,
    isOrphaning: false,
    isForeground: false,
    ...options,
  };
}

function owner(name: string, options: Partial<OwnerReference> = {}): OwnerReference {
  return { ...MAP, name, uid: name, ...options };
}

function identity(name: string, options: Partial<ObjectReference> = {}): ObjectReference {
  return { ...MAP, namespace: 'here', name, uid: name, ...options };
}

type Step = (graph: DependencyGraph) => void;
const observed =
  (name: string, options?: Partial<ObservedObject>, kind = MAP): Step =>
  (graph) =>
    graph.observe(kind, object(name, options));
const deleted =
  (name: string): Step =>
  (graph) =>
    graph.remove(MAP, object(name));
const absent =
  (reference: ObjectReference): Step =>
  (graph) =>
    graph.foundAbsent(reference);
const owned = (...owners: OwnerReference[]) => ({ owners });
const foreground = { isBeingDeleted: true, isForeground: true };
const orphaning = { isBeingDeleted: true, isOrphaning: true };

const cases: readonly {
  readonly name: string;
  /** Earlier changes. */
  readonly before?: readonly Step[];
  readonly when: Step;
  /** The uids queued, in order. */
  readonly deletions?: readonly string[];
  readonly later?: readonly string[];
  readonly orphans?: readonly string[];
  readonly reports?: readonly string[];
  /** Owners recorded as absent. */
  readonly absent?: readonly ObjectReference[];
  readonly size: number;
}[] = [
  { name: 'an object that owns nothing', when: observed('a'), size: 1 },
  {
    name: 'an unknown owner is queued',
    when: observed('a', owned(owner('b'))),
    deletions: ['b'],
    size: 2,
  },
  {
    name: 'an observed owner is not queued',
    before: [observed('b')],
    when: observed('a', owned(owner('b'))),
    size: 2,
  },
  {
    name: 'a virtual owner is observed at the expected location',
    before: [observed('a', owned(owner('b')))],
    when: observed('b'),
    size: 2,
  },
  {
    name: 'a virtual owner is observed in another namespace: an Event',
    before: [observed('a', owned(owner('b')))],
    when: observed('b', { namespace: 'there' }),
    deletions: ['a'],
    reports: ['a < b'],
    size: 2,
  },
  {
    name: 'a dependent of an owner in another namespace: an Event',
    before: [observed('b', { namespace: 'there' })],
    when: observed('a', owned(owner('b'))),
    deletions: ['a'],
    reports: ['a < b'],
    size: 2,
  },
  {
    name: 'a cluster-scoped owner is valid in any namespace',
    before: [observed('r', { namespace: '' }, ROLE)],
    when: observed('a', owned(owner('r', ROLE))),
    size: 2,
  },
  {
    name: 'a reference with another kind is queued without an Event',
    before: [observed('b')],
    when: observed('a', owned(owner('b', { kind: 'Secret' }))),
    deletions: ['a'],
    size: 2,
  },
  {
    name: 'dependents disagree on a virtual owner: the second is queued',
    before: [observed('a', owned(owner('b')))],
    when: observed('c', owned(owner('b', { name: 'other' }))),
    deletions: ['c'],
    size: 3,
  },
  {
    name: 'a cluster-scoped object named an unknown owner first',
    before: [observed('r', { namespace: '', owners: [owner('b')] }, ROLE)],
    when: observed('a', owned(owner('b'))),
    deletions: ['a'],
    size: 3,
  },
  {
    name: 'dependents are queued when their owner is deleted',
    before: [observed('b'), observed('a', owned(owner('b'))), observed('c', owned(owner('b')))],
    when: deleted('b'),
    deletions: ['a', 'c'],
    absent: [identity('b')],
    size: 2,
  },
  {
    name: 'a deleted object queues owners that wait for it',
    before: [observed('b', foreground), observed('a', owned(owner('b')))],
    when: deleted('a'),
    deletions: ['b'],
    size: 1,
  },
  {
    name: 'a deleted object does not queue other owners',
    before: [observed('b'), observed('a', owned(owner('b')))],
    when: deleted('a'),
    size: 1,
  },
  {
    name: 'foreground deletion queues dependents, then the owner',
    before: [observed('b'), observed('a', owned(owner('b')))],
    when: observed('b', foreground),
    deletions: ['a', 'b'],
    size: 2,
  },
  {
    name: 'foreground deletion is queued once',
    before: [observed('b', foreground)],
    when: observed('b', foreground),
    size: 1,
  },
  {
    name: 'an object is first observed as orphaning',
    when: observed('b', orphaning),
    orphans: ['b'],
    size: 1,
  },
  {
    name: 'orphaning precedes foreground deletion',
    when: observed('b', { ...orphaning, isForeground: true }),
    orphans: ['b'],
    size: 1,
  },
  {
    name: 'a blocking reference is removed: the owner is queued',
    before: [
      observed('b', foreground),
      observed('a', owned(owner('b', { blockOwnerDeletion: true }))),
    ],
    when: observed('a'),
    deletions: ['b'],
    size: 2,
  },
  {
    name: 'a reference blocks no longer: the owner is queued',
    before: [observed('b'), observed('a', owned(owner('b', { blockOwnerDeletion: true })))],
    when: observed('a', owned(owner('b', { blockOwnerDeletion: false }))),
    deletions: ['b'],
    size: 2,
  },
  {
    name: 'a virtual owner without dependents is removed',
    before: [observed('a', owned(owner('b')))],
    when: observed('a'),
    size: 1,
  },
  {
    name: 'a virtual owner is found absent',
    before: [observed('a', owned(owner('b')))],
    when: absent(identity('b')),
    deletions: ['a'],
    absent: [identity('b')],
    size: 1,
  },
  {
    name: 'a virtual owner is absent at one location: the other is next',
    before: [observed('a', owned(owner('b'))), observed('c', owned(owner('b', { name: 'other' })))],
    when: absent(identity('b')),
    deletions: ['a'],
    later: ['b'],
    absent: [identity('b')],
    size: 3,
  },
  {
    name: 'an observed owner is absent at the location in one reference',
    before: [
      observed('b'),
      observed('a', owned(owner('b', { name: 'other' }))),
      observed('c', owned(owner('b'))),
    ],
    when: absent(identity('b', { name: 'other' })),
    deletions: ['a'],
    absent: [identity('b', { name: 'other' })],
    size: 3,
  },
  {
    name: 'an observed owner is found absent before its watch event',
    before: [observed('b'), observed('a', owned(owner('b')))],
    when: absent(identity('b')),
    deletions: ['a'],
    absent: [identity('b')],
    size: 1,
  },
  {
    name: 'a uid repeated by another server is ignored',
    before: [observed('b'), observed('a', owned(owner('b')))],
    when: (graph) => graph.remove(ROLE, object('b')),
    size: 2,
  },
  {
    name: 'a kind is listed again: missing objects were deleted',
    before: [observed('b'), observed('a', owned(owner('b')))],
    when: (graph) => graph.retain(MAP, new Set(['a'])),
    deletions: ['a'],
    absent: [identity('b')],
    size: 1,
  },
  {
    name: 'a kind is no longer watched: its owners are virtual again',
    before: [observed('r', { namespace: '' }, ROLE), observed('a', owned(owner('r', ROLE)))],
    when: (graph) => graph.forget(ROLE),
    deletions: ['r'],
    size: 2,
  },
  {
    name: 'a kind is no longer watched: its objects block no owner',
    before: [
      observed('b', foreground),
      observed('r', { namespace: '', owners: [owner('b', { blockOwnerDeletion: true })] }, ROLE),
    ],
    when: (graph) => graph.forget(ROLE),
    deletions: ['b'],
    size: 1,
  },
];

describe('the graph', () => {
  for (const row of cases) {
    test(row.name, () => {
      const queued = { deletions: [], later: [], orphans: [], reports: [] } as Record<
        string,
        string[]
      >;
      const absentOwners = referenceCache(10);
      const graph = new DependencyGraph({
        attemptToDelete: ({ identity: { uid } }) => queued.deletions?.push(uid),
        attemptToDeleteLater: ({ identity: { uid } }) => queued.later?.push(uid),
        attemptToOrphan: ({ identity: { uid } }) => queued.orphans?.push(uid),
        reportInvalidNamespace: ({ identity: { uid } }, reference) =>
          queued.reports?.push(`${uid} < ${reference.uid}`),
        absentOwners,
      });
      for (const step of row.before ?? []) step(graph);
      for (const list of Object.values(queued)) list.length = 0;
      row.when(graph);
      const { deletions = [], later = [], orphans = [], reports = [] } = row;
      assert.deepEqual(queued, { deletions, later, orphans, reports });
      for (const reference of row.absent ?? []) assert.ok(absentOwners.has(reference));
      assert.equal(graph.size, row.size);
    });
  }

  test('a virtual owner takes the identity that was observed', () => {
    const graph = new DependencyGraph({
      attemptToDelete: () => {},
      attemptToDeleteLater: () => {},
      attemptToOrphan: () => {},
      reportInvalidNamespace: () => {},
      absentOwners: referenceCache(10),
    });
    graph.observe(MAP, object('a', owned(owner('r', ROLE))));
    graph.observe(ROLE, object('r', { namespace: '' }));
    const node = graph.node('r');
    assert.deepEqual(node?.identity, { ...ROLE, namespace: '', name: 'r', uid: 'r' });
    assert.equal(node?.isVirtual, false);
    assert.deepEqual(node && dependentsOf(node).map((one) => one.identity.name), ['a']);
  });
});

test('the reference cache evicts the least recently used', () => {
  const cache = referenceCache(2);
  cache.add(identity('a'));
  cache.add(identity('b'));
  assert.ok(cache.has(identity('a')));
  cache.add(identity('c'));
  assert.deepEqual(
    ['a', 'b', 'c'].map((name) => cache.has(identity(name))),
    [true, false, true],
  );
});
