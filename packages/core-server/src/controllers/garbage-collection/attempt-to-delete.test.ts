import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  conflict,
  type ObjectMeta,
  type OwnerReference,
  plainError,
} from '@tributary/apimachinery';
import type { Patch } from '@tributary/client';
import { attemptToDelete, type Collecting } from './attempt-to-delete.ts';
import { attemptToOrphan } from './attempt-to-orphan.ts';
import { GroupAway, NamespacedOwner, UnknownKind } from './errors.ts';
import { DependencyGraph } from './graph.ts';
import type { LiveObjects } from './live-objects.ts';
import { observedObject } from './observed-object.ts';
import { referenceCache } from './reference-cache.ts';

const MAP = { apiVersion: 'v1', kind: 'ConfigMap' };
const AWAY = { apiVersion: 'wardle.example.com/v1', kind: 'Flunder' };
const ROLE = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' };
const kinds = new Map([
  ['ConfigMap', true],
  ['Flunder', true],
  ['ClusterRole', false],
]);

/** Its uid is its name, unless it says otherwise. */
function meta(name: string, options: Partial<ObjectMeta> = {}): ObjectMeta {
  return { namespace: 'here', name, uid: name, resourceVersion: '7', ...options };
}

function owner(name: string, options: Partial<OwnerReference> = {}): OwnerReference {
  return { ...MAP, name, uid: name, ...options };
}

const owned = (...ownerReferences: OwnerReference[]) => ({ ownerReferences });
const foreground = {
  deletionTimestamp: '2030-01-01T00:00:00Z',
  finalizers: ['foregroundDeletion'],
};
const blocking = { blockOwnerDeletion: true };

/** What the servers have, and what they were told. */
function servers(
  objects: readonly ObjectMeta[],
  options: Server = {},
): LiveObjects & { said: string[] } {
  const byName = new Map(objects.map((object) => [object.name, object]));
  const said: string[] = [];
  let conflicts = options.conflicts ?? 0;
  const at = (kind: string, namespace: string) => {
    const isNamespaced = kinds.get(kind);
    if (isNamespaced === undefined) throw new UnknownKind('example.com/v1', kind);
    if (kind === 'Flunder' && options.isAway) throw new GroupAway(AWAY.apiVersion, 'it is away');
    if (isNamespaced && namespace === '') throw new NamespacedOwner();
    return isNamespaced;
  };
  const live: LiveObjects & { said: string[] } = {
    said,
    resourceOf: (apiVersion, kind) => {
      const namespaced = kinds.get(kind);
      if (namespaced === undefined) throw new UnknownKind(apiVersion, kind);
      return { group: '', version: 'v1', plural: 'x', namespaced, kind };
    },
    async get({ kind, namespace, name }) {
      const isNamespaced = at(kind, namespace);
      const found = byName.get(name);
      if (found === undefined || (isNamespaced && found.namespace !== namespace)) return 'absent';
      return found;
    },
    async patch({ kind, namespace, name }, patch: Patch) {
      at(kind, namespace);
      const body = 'body' in patch ? patch.body : undefined;
      if (patch.kind === 'strategic' && options.isMergeOnly) {
        throw plainError('the body of the request was in an unknown format', 415);
      }
      said.push(`patch ${name} ${patch.kind} ${JSON.stringify(body)}`);
      return 'done';
    },
    async delete({ kind, namespace, name }, { propagationPolicy, preconditions = {} }) {
      at(kind, namespace);
      const { uid, resourceVersion = '-' } = preconditions;
      said.push(`delete ${name} ${propagationPolicy} ${uid} ${resourceVersion}`);
      conflicts -= 1;
      if (conflicts >= 0) throw conflict({ group: '', resource: 'x' }, name, 'changed');
      return byName.has(name) ? 'done' : 'absent';
    },
  };
  return live;
}

interface Server {
  readonly isAway?: boolean;
  readonly isMergeOnly?: boolean;
  /** How many deletes are refused. */
  readonly conflicts?: number;
}

const removal = (name: string, ...owners: string[]) =>
  `patch ${name} strategic ${JSON.stringify({
    metadata: { uid: name, ownerReferences: owners.map((uid) => ({ $patch: 'delete', uid })) },
  })}`;

const cases: readonly {
  readonly name: string;
  /** The first is looked at. */
  readonly objects: readonly ObjectMeta[];
  /** What the graph knows, where it is not what there is. */
  readonly seen?: readonly ObjectMeta[];
  readonly server?: Server;
  readonly orphaned?: readonly string[];
  readonly said?: readonly string[];
  readonly looks?: readonly string[];
  readonly error?: RegExp;
  /** Whether it is in the graph afterwards. */
  readonly isGone?: boolean;
}[] = [
  { name: 'has no owner', objects: [meta('a')] },
  { name: 'has an owner', objects: [meta('a', owned(owner('b'))), meta('b')] },
  {
    name: 'its only owner is absent',
    objects: [meta('a', owned(owner('b')))],
    said: ['delete a Background a 7'],
  },
  {
    name: 'its owner is another object by now: the uid differs',
    objects: [meta('a', owned(owner('b'))), meta('b', { uid: 'new' })],
    said: ['delete a Background a 7'],
  },
  {
    name: 'its owner is in another namespace',
    objects: [meta('a', owned(owner('b'))), meta('b', { namespace: 'there' })],
    said: ['delete a Background a 7'],
  },
  {
    name: 'one of two owners is absent',
    objects: [meta('a', owned(owner('b'), owner('c'))), meta('c')],
    said: [removal('a', 'b')],
  },
  {
    name: 'one owner is there, one absent, one waits',
    objects: [
      meta('a', owned(owner('b'), owner('c'), owner('d'))),
      meta('c'),
      meta('d', foreground),
    ],
    said: [removal('a', 'b', 'd')],
  },
  {
    name: 'a server without strategic patches',
    objects: [meta('a', owned(owner('b'), owner('c'))), meta('c')],
    server: { isMergeOnly: true },
    said: [
      `patch a merge ${JSON.stringify({ metadata: { uid: 'a', resourceVersion: '7', ownerReferences: [owner('c')] } })}`,
    ],
  },
  {
    name: 'its owner waits, and it owns nothing',
    objects: [meta('a', owned(owner('b'))), meta('b', foreground)],
    said: ['delete a Background a 7'],
  },
  {
    name: 'its owner waits, and it owns something',
    objects: [meta('a', owned(owner('b'))), meta('b', foreground), meta('c', owned(owner('a')))],
    said: ['delete a Foreground a 7'],
  },
  {
    name: 'its owner and its dependent wait, maybe in a circle: it blocks nobody any more',
    objects: [
      meta('a', owned(owner('b', blocking))),
      meta('b', foreground),
      meta('c', { ...foreground, ...owned(owner('a')) }),
    ],
    said: [
      `patch a strategic ${JSON.stringify({ metadata: { uid: 'a', ownerReferences: [owner('b', { blockOwnerDeletion: false })] } })}`,
      'delete a Foreground a 7',
    ],
  },
  {
    name: 'a finalizer says what becomes of its dependents',
    objects: [meta('a', { ...owned(owner('b')), finalizers: ['orphan'] })],
    said: ['delete a Orphan a 7'],
  },
  {
    name: 'the owner’s server is away: nothing is known, and nothing done',
    objects: [meta('a', owned(owner('b', AWAY)))],
    server: { isAway: true },
    error: /it is away/,
  },
  {
    name: 'not even when another owner is known to be absent',
    objects: [meta('a', owned(owner('c'), owner('b', AWAY)))],
    server: { isAway: true },
    error: /it is away/,
  },
  {
    name: 'nobody serves the kind of the owner',
    objects: [meta('a', owned(owner('b', { apiVersion: 'example.com/v1', kind: 'Thing' })))],
    error: /unable to get REST mapping for example.com\/v1\/Thing\./,
  },
  {
    name: 'it changes while it is deleted, and has the same owners',
    objects: [meta('a', owned(owner('b')))],
    server: { conflicts: 1 },
    said: ['delete a Background a 7', 'delete a Background a -'],
  },
  {
    name: 'it is gone by now',
    objects: [],
    seen: [meta('a', owned(owner('b'))), meta('b')],
    isGone: true,
  },
  {
    name: 'it is another object by now',
    objects: [meta('a', { uid: 'new' })],
    seen: [meta('a', owned(owner('b'))), meta('b')],
    isGone: true,
  },
  {
    name: 'it is being deleted anyway',
    objects: [meta('a', { ...owned(owner('b')), deletionTimestamp: foreground.deletionTimestamp })],
  },
  {
    name: 'it waits for nobody any more',
    objects: [meta('a', foreground)],
    said: [
      `patch a merge ${JSON.stringify({ metadata: { uid: 'a', resourceVersion: '7', finalizers: null } })}`,
    ],
  },
  {
    name: 'it waits for those that block it, and not for others',
    objects: [
      meta('a', foreground),
      meta('b', owned(owner('a', blocking))),
      meta('c', owned(owner('a'))),
    ],
    looks: ['b'],
  },
  {
    name: 'it waits for one that waits itself',
    objects: [meta('a', foreground), meta('b', { ...foreground, ...owned(owner('a', blocking)) })],
  },
  {
    name: 'its owner went without telling it that it is an orphan',
    objects: [meta('a', owned(owner('b')))],
    orphaned: ['b'],
    said: [removal('a', 'b')],
  },
];

function collectingOf(live: LiveObjects, orphaned: readonly string[] = []) {
  const looks: string[] = [];
  const absentOwners = referenceCache(10);
  const graph = new DependencyGraph({
    attemptToDelete: () => {},
    attemptToDeleteLater: () => {},
    attemptToOrphan: () => {},
    reportInvalidNamespace: () => {},
    absentOwners,
  });
  const collecting: Collecting = {
    graph,
    live,
    absentOwners,
    orphanedOwners: new Set(orphaned),
    attemptToDelete: ({ identity }) => looks.push(identity.name),
  };
  return { collecting, looks, graph };
}

describe('an object that is looked at', () => {
  for (const { name, objects, seen = objects, server, orphaned, said = [], ...row } of cases) {
    test(name, async () => {
      const live = servers(objects, server);
      const { collecting, looks, graph } = collectingOf(live, orphaned);
      for (const object of seen) graph.observe(MAP, observedObject(object));
      const node = graph.node('a');
      assert.ok(node);
      const attempt = attemptToDelete(node, collecting);
      if (row.error === undefined) assert.equal(await attempt, 'done');
      else await assert.rejects(attempt, row.error);
      assert.deepEqual(live.said, said);
      assert.deepEqual(looks, row.looks ?? []);
      assert.equal(graph.node('a') === undefined, row.isGone === true);
    });
  }

  test('without a namespace refers to an owner that has one: nothing is decided, ever', async () => {
    const live = servers([meta('r', { namespace: '' })]);
    const { collecting, graph } = collectingOf(live);
    graph.observe(ROLE, observedObject(meta('r', { namespace: '', ...owned(owner('b')) })));
    const node = graph.node('b');
    assert.ok(node);
    await assert.rejects(attemptToDelete(node, collecting), NamespacedOwner);
    assert.deepEqual(live.said, []);
  });

  test('not even while only a dependent with a namespace has told of it', async () => {
    // Upstream looks for the owner in the namespace of the dependent then, and deletes what it does not find there.
    const { namespace: _, ...role } = meta('r', owned(owner('b')));
    const live = servers([role, meta('b', { namespace: 'there' })]);
    const { collecting, graph } = collectingOf(live);
    graph.observe(MAP, observedObject(meta('a', owned(owner('r', ROLE)))));
    const node = graph.node('r');
    assert.ok(node);
    await assert.rejects(attemptToDelete(node, collecting), NamespacedOwner);
    assert.deepEqual(live.said, []);
  });

  test('a virtual owner that is there is looked at again until a watch has told of it', async () => {
    const live = servers([meta('b')]);
    const { collecting, graph } = collectingOf(live);
    graph.observe(MAP, observedObject(meta('a', owned(owner('b')))));
    const node = graph.node('b');
    assert.ok(node);
    assert.equal(await attemptToDelete(node, collecting), 'unseen');
    graph.observe(MAP, observedObject(meta('b')));
    assert.equal(await attemptToDelete(node, collecting), 'done');
  });
});

describe('an owner that leaves orphans', () => {
  const orphaning = { ...foreground, finalizers: ['orphan', 'example.com/other'] };
  const objects = [
    meta('a', orphaning),
    meta('b', owned(owner('a'))),
    meta('c', owned(owner('a'))),
  ];
  const finish = `patch a merge ${JSON.stringify({ metadata: { uid: 'a', resourceVersion: '7', finalizers: ['example.com/other'] } })}`;

  test('tells them, and goes', async () => {
    const live = servers(objects);
    const { collecting, graph } = collectingOf(live);
    for (const object of objects) graph.observe(MAP, observedObject(object));
    const node = graph.node('a');
    assert.ok(node);
    await attemptToOrphan(node, collecting);
    assert.deepEqual(live.said, [removal('b', 'a'), removal('c', 'a'), finish]);
  });

  test('stays while one cannot be told', async () => {
    const live = servers(objects, { isAway: true });
    const { collecting, graph } = collectingOf(live);
    for (const object of objects) graph.observe(MAP, observedObject(object));
    graph.observe(AWAY, observedObject(meta('d', owned(owner('a')))));
    const node = graph.node('a');
    assert.ok(node);
    await assert.rejects(attemptToOrphan(node, collecting), /it is away/);
    assert.ok(!live.said.includes(finish));
  });
});
