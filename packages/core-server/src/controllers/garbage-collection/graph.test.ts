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

/** Its uid is its name. */
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
const seen =
  (name: string, options?: Partial<ObservedObject>, kind = MAP): Step =>
  (graph) =>
    graph.observe(kind, object(name, options));
const gone =
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
  /** What happened before. */
  readonly before?: readonly Step[];
  readonly when: Step;
  /** Whom somebody should look at, in order. */
  readonly deletions?: readonly string[];
  readonly later?: readonly string[];
  readonly orphans?: readonly string[];
  readonly reports?: readonly string[];
  /** Owners that are known to be absent then. */
  readonly absent?: readonly ObjectReference[];
  readonly size: number;
}[] = [
  { name: 'an object that owns nothing', when: seen('a'), size: 1 },
  {
    name: 'an owner that nobody has seen is looked for',
    when: seen('a', owned(owner('b'))),
    deletions: ['b'],
    size: 2,
  },
  {
    name: 'an owner that was seen is not',
    before: [seen('b')],
    when: seen('a', owned(owner('b'))),
    size: 2,
  },
  {
    name: 'a virtual owner turns up where it was expected',
    before: [seen('a', owned(owner('b')))],
    when: seen('b'),
    size: 2,
  },
  {
    name: 'a virtual owner turns up in another namespace: an Event',
    before: [seen('a', owned(owner('b')))],
    when: seen('b', { namespace: 'there' }),
    deletions: ['a'],
    reports: ['a < b'],
    size: 2,
  },
  {
    name: 'a dependent comes after its owner, from another namespace: an Event',
    before: [seen('b', { namespace: 'there' })],
    when: seen('a', owned(owner('b'))),
    deletions: ['a'],
    reports: ['a < b'],
    size: 2,
  },
  {
    name: 'an owner without a namespace is everybody’s',
    before: [seen('r', { namespace: '' }, ROLE)],
    when: seen('a', owned(owner('r', ROLE))),
    size: 2,
  },
  {
    name: 'another kind in the reference: it is looked at, without an Event',
    before: [seen('b')],
    when: seen('a', owned(owner('b', { kind: 'Secret' }))),
    deletions: ['a'],
    size: 2,
  },
  {
    name: 'two that disagree on a virtual owner: the second is looked at',
    before: [seen('a', owned(owner('b')))],
    when: seen('c', owned(owner('b', { name: 'other' }))),
    deletions: ['c'],
    size: 3,
  },
  {
    name: 'an object without a namespace has named an owner that nobody has seen',
    before: [seen('r', { namespace: '', owners: [owner('b')] }, ROLE)],
    when: seen('a', owned(owner('b'))),
    deletions: ['a'],
    size: 3,
  },
  {
    name: 'what an owner had is looked at when it goes',
    before: [seen('b'), seen('a', owned(owner('b'))), seen('c', owned(owner('b')))],
    when: gone('b'),
    deletions: ['a', 'c'],
    absent: [identity('b')],
    size: 2,
  },
  {
    name: 'whoever goes tells owners that wait for it',
    before: [seen('b', foreground), seen('a', owned(owner('b')))],
    when: gone('a'),
    deletions: ['b'],
    size: 1,
  },
  {
    name: 'and not owners that do not wait',
    before: [seen('b'), seen('a', owned(owner('b')))],
    when: gone('a'),
    size: 1,
  },
  {
    name: 'deletion in the foreground begins: its dependents, then itself',
    before: [seen('b'), seen('a', owned(owner('b')))],
    when: seen('b', foreground),
    deletions: ['a', 'b'],
    size: 2,
  },
  {
    name: 'it begins once',
    before: [seen('b', foreground)],
    when: seen('b', foreground),
    size: 1,
  },
  {
    name: 'an object is first seen as orphaning',
    when: seen('b', orphaning),
    orphans: ['b'],
    size: 1,
  },
  {
    name: 'orphaning comes before the foreground',
    when: seen('b', { ...orphaning, isForeground: true }),
    orphans: ['b'],
    size: 1,
  },
  {
    name: 'a reference that blocked is gone: the owner may go',
    before: [seen('b', foreground), seen('a', owned(owner('b', { blockOwnerDeletion: true })))],
    when: seen('a'),
    deletions: ['b'],
    size: 2,
  },
  {
    name: 'a reference does not block any more: the owner may go',
    before: [seen('b'), seen('a', owned(owner('b', { blockOwnerDeletion: true })))],
    when: seen('a', owned(owner('b', { blockOwnerDeletion: false }))),
    deletions: ['b'],
    size: 2,
  },
  {
    name: 'a virtual owner that nobody refers to any more is forgotten',
    before: [seen('a', owned(owner('b')))],
    when: seen('a'),
    size: 1,
  },
  {
    name: 'a virtual owner is found absent',
    before: [seen('a', owned(owner('b')))],
    when: absent(identity('b')),
    deletions: ['a'],
    absent: [identity('b')],
    size: 1,
  },
  {
    name: 'a virtual owner is absent in one of the places where it is said to be: the other is next',
    before: [seen('a', owned(owner('b'))), seen('c', owned(owner('b', { name: 'other' })))],
    when: absent(identity('b')),
    deletions: ['a'],
    later: ['b'],
    absent: [identity('b')],
    size: 3,
  },
  {
    name: 'an owner that was seen is absent where one dependent believes it to be',
    before: [
      seen('b'),
      seen('a', owned(owner('b', { name: 'other' }))),
      seen('c', owned(owner('b'))),
    ],
    when: absent(identity('b', { name: 'other' })),
    deletions: ['a'],
    absent: [identity('b', { name: 'other' })],
    size: 3,
  },
  {
    name: 'an owner that was seen is found absent before its watch tells',
    before: [seen('b'), seen('a', owned(owner('b')))],
    when: absent(identity('b')),
    deletions: ['a'],
    absent: [identity('b')],
    size: 1,
  },
  {
    name: 'another server repeats a uid: it is not heard',
    before: [seen('b'), seen('a', owned(owner('b')))],
    when: (graph) => graph.remove(ROLE, object('b')),
    size: 2,
  },
  {
    name: 'a kind is listed again: who is missing is gone',
    before: [seen('b'), seen('a', owned(owner('b')))],
    when: (graph) => graph.retain(MAP, new Set(['a'])),
    deletions: ['a'],
    absent: [identity('b')],
    size: 1,
  },
  {
    name: 'a kind is not watched any more: owners of it are virtual again',
    before: [seen('r', { namespace: '' }, ROLE), seen('a', owned(owner('r', ROLE)))],
    when: (graph) => graph.forget(ROLE),
    deletions: ['r'],
    size: 2,
  },
  {
    name: 'a kind is not watched any more: nobody waits for its objects',
    before: [
      seen('b', foreground),
      seen('r', { namespace: '', owners: [owner('b', { blockOwnerDeletion: true })] }, ROLE),
    ],
    when: (graph) => graph.forget(ROLE),
    deletions: ['b'],
    size: 1,
  },
];

describe('the graph', () => {
  for (const row of cases) {
    test(row.name, () => {
      const told = { deletions: [], later: [], orphans: [], reports: [] } as Record<
        string,
        string[]
      >;
      const absentOwners = referenceCache(10);
      const graph = new DependencyGraph({
        attemptToDelete: ({ identity: { uid } }) => told.deletions?.push(uid),
        attemptToDeleteLater: ({ identity: { uid } }) => told.later?.push(uid),
        attemptToOrphan: ({ identity: { uid } }) => told.orphans?.push(uid),
        reportInvalidNamespace: ({ identity: { uid } }, reference) =>
          told.reports?.push(`${uid} < ${reference.uid}`),
        absentOwners,
      });
      for (const step of row.before ?? []) step(graph);
      for (const list of Object.values(told)) list.length = 0;
      row.when(graph);
      const { deletions = [], later = [], orphans = [], reports = [] } = row;
      assert.deepEqual(told, { deletions, later, orphans, reports });
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

test('the last used references are remembered', () => {
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
