import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  conflict,
  type ObjectMeta,
  type OwnerReference,
  plainError,
} from '@tributary/apimachinery';
import type { Patch } from '@tributary/client';
import { attemptToDelete, type CollectorContext } from './attempt-to-delete.ts';
import { attemptToOrphan } from './attempt-to-orphan.ts';
import { GroupUnavailable, NamespacedOwner, UnknownKind } from './errors.ts';
import { DependencyGraph } from './graph.ts';
import type { LiveObjects } from './live-objects.ts';
import { observedObject } from './observed-object.ts';
import { referenceCache } from './reference-cache.ts';

const MAP = { apiVersion: 'v1', kind: 'ConfigMap' };
const REMOTE = { apiVersion: 'wardle.example.com/v1', kind: 'Flunder' };
const ROLE = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' };
const kinds = new Map([
  ['ConfigMap', true],
  ['Flunder', true],
  ['ClusterRole', false],
]);

/** The uid is the name, unless given. */
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

/** Servers with these objects that record requests. */
function servers(
  objects: readonly ObjectMeta[],
  options: Server = {},
): LiveObjects & { requests: string[] } {
  const byName = new Map(objects.map((object) => [object.name, object]));
  const requests: string[] = [];
  let conflicts = options.conflicts ?? 0;
  const at = (kind: string, namespace: string) => {
    const isNamespaced = kinds.get(kind);
    if (isNamespaced === undefined) throw new UnknownKind('example.com/v1', kind);
    if (kind === 'Flunder' && options.isUnavailable)
      throw new GroupUnavailable(REMOTE.apiVersion, 'it is unavailable');
    if (isNamespaced && namespace === '') throw new NamespacedOwner();
    return isNamespaced;
  };
  const live: LiveObjects & { requests: string[] } = {
    requests,
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
      requests.push(`patch ${name} ${patch.kind} ${JSON.stringify(body)}`);
      return 'done';
    },
    async delete({ kind, namespace, name }, { propagationPolicy, preconditions = {} }) {
      at(kind, namespace);
      const { uid, resourceVersion = '-' } = preconditions;
      requests.push(`delete ${name} ${propagationPolicy} ${uid} ${resourceVersion}`);
      conflicts -= 1;
      if (conflicts >= 0) throw conflict({ group: '', resource: 'x' }, name, 'changed');
      return byName.has(name) ? 'done' : 'absent';
    },
  };
  return live;
}

interface Server {
  readonly isUnavailable?: boolean;
  readonly isMergeOnly?: boolean;
  /** The number of deletes that fail with a conflict. */
  readonly conflicts?: number;
}

const removal = (name: string, ...owners: string[]) =>
  `patch ${name} strategic ${JSON.stringify({
    metadata: { uid: name, ownerReferences: owners.map((uid) => ({ $patch: 'delete', uid })) },
  })}`;

const cases: readonly {
  readonly name: string;
  /** The first one is the object under test. */
  readonly objects: readonly ObjectMeta[];
  /** The objects in the graph, when they differ from the stored ones. */
  readonly seen?: readonly ObjectMeta[];
  readonly server?: Server;
  readonly orphaned?: readonly string[];
  readonly requests?: readonly string[];
  readonly queued?: readonly string[];
  readonly error?: RegExp;
  /** Whether the graph no longer has the object. */
  readonly isRemoved?: boolean;
}[] = [
  { name: 'has no owner', objects: [meta('a')] },
  { name: 'has an owner', objects: [meta('a', owned(owner('b'))), meta('b')] },
  {
    name: 'its only owner is absent',
    objects: [meta('a', owned(owner('b')))],
    requests: ['delete a Background a 7'],
  },
  {
    name: 'its owner was created again: the uid differs',
    objects: [meta('a', owned(owner('b'))), meta('b', { uid: 'new' })],
    requests: ['delete a Background a 7'],
  },
  {
    name: 'its owner is in another namespace',
    objects: [meta('a', owned(owner('b'))), meta('b', { namespace: 'there' })],
    requests: ['delete a Background a 7'],
  },
  {
    name: 'one of two owners is absent',
    objects: [meta('a', owned(owner('b'), owner('c'))), meta('c')],
    requests: [removal('a', 'b')],
  },
  {
    name: 'one owner exists, one is absent, one is in foreground deletion',
    objects: [
      meta('a', owned(owner('b'), owner('c'), owner('d'))),
      meta('c'),
      meta('d', foreground),
    ],
    requests: [removal('a', 'b', 'd')],
  },
  {
    name: 'a server without strategic patches',
    objects: [meta('a', owned(owner('b'), owner('c'))), meta('c')],
    server: { isMergeOnly: true },
    requests: [
      `patch a merge ${JSON.stringify({ metadata: { uid: 'a', resourceVersion: '7', ownerReferences: [owner('c')] } })}`,
    ],
  },
  {
    name: 'its owner is in foreground deletion, and it owns nothing',
    objects: [meta('a', owned(owner('b'))), meta('b', foreground)],
    requests: ['delete a Background a 7'],
  },
  {
    name: 'its owner is in foreground deletion, and it has dependents',
    objects: [meta('a', owned(owner('b'))), meta('b', foreground), meta('c', owned(owner('a')))],
    requests: ['delete a Foreground a 7'],
  },
  {
    name: 'its owner and its dependent wait, possibly in a cycle: it is unblocked',
    objects: [
      meta('a', owned(owner('b', blocking))),
      meta('b', foreground),
      meta('c', { ...foreground, ...owned(owner('a')) }),
    ],
    requests: [
      `patch a strategic ${JSON.stringify({ metadata: { uid: 'a', ownerReferences: [owner('b', { blockOwnerDeletion: false })] } })}`,
      'delete a Foreground a 7',
    ],
  },
  {
    name: 'its orphan finalizer determines the propagation policy',
    objects: [meta('a', { ...owned(owner('b')), finalizers: ['orphan'] })],
    requests: ['delete a Orphan a 7'],
  },
  {
    name: 'the server of its owner is unavailable: it is not deleted',
    objects: [meta('a', owned(owner('b', REMOTE)))],
    server: { isUnavailable: true },
    error: /it is unavailable/,
  },
  {
    name: 'nor when another owner is absent',
    objects: [meta('a', owned(owner('c'), owner('b', REMOTE)))],
    server: { isUnavailable: true },
    error: /it is unavailable/,
  },
  {
    name: 'the kind of its owner is not served',
    objects: [meta('a', owned(owner('b', { apiVersion: 'example.com/v1', kind: 'Thing' })))],
    error: /unable to get REST mapping for example.com\/v1\/Thing\./,
  },
  {
    name: 'it is modified meanwhile with the same owners',
    objects: [meta('a', owned(owner('b')))],
    server: { conflicts: 1 },
    requests: ['delete a Background a 7', 'delete a Background a -'],
  },
  {
    name: 'it was deleted meanwhile',
    objects: [],
    seen: [meta('a', owned(owner('b'))), meta('b')],
    isRemoved: true,
  },
  {
    name: 'it was created again meanwhile',
    objects: [meta('a', { uid: 'new' })],
    seen: [meta('a', owned(owner('b'))), meta('b')],
    isRemoved: true,
  },
  {
    name: 'it is already being deleted',
    objects: [meta('a', { ...owned(owner('b')), deletionTimestamp: foreground.deletionTimestamp })],
  },
  {
    name: 'it is in foreground deletion without dependents',
    objects: [meta('a', foreground)],
    requests: [
      `patch a merge ${JSON.stringify({ metadata: { uid: 'a', resourceVersion: '7', finalizers: null } })}`,
    ],
  },
  {
    name: 'it waits for blocking dependents only',
    objects: [
      meta('a', foreground),
      meta('b', owned(owner('a', blocking))),
      meta('c', owned(owner('a'))),
    ],
    queued: ['b'],
  },
  {
    name: 'it waits for a dependent in foreground deletion',
    objects: [meta('a', foreground), meta('b', { ...foreground, ...owned(owner('a', blocking)) })],
  },
  {
    name: 'its owner was deleted with orphaning before it was known',
    objects: [meta('a', owned(owner('b')))],
    orphaned: ['b'],
    requests: [removal('a', 'b')],
  },
];

function collectingOf(live: LiveObjects, orphaned: readonly string[] = []) {
  const queued: string[] = [];
  const absentOwners = referenceCache(10);
  const graph = new DependencyGraph({
    attemptToDelete: () => {},
    attemptToDeleteLater: () => {},
    attemptToOrphan: () => {},
    reportInvalidNamespace: () => {},
    absentOwners,
  });
  const context: CollectorContext = {
    graph,
    live,
    absentOwners,
    orphanedOwners: new Set(orphaned),
    attemptToDelete: ({ identity }) => queued.push(identity.name),
  };
  return { context, queued, graph };
}

describe('attemptToDelete', () => {
  for (const { name, objects, seen = objects, server, orphaned, requests = [], ...row } of cases) {
    test(name, async () => {
      const live = servers(objects, server);
      const { context, queued, graph } = collectingOf(live, orphaned);
      for (const object of seen) graph.observe(MAP, observedObject(object));
      const node = graph.node('a');
      assert.ok(node);
      const attempt = attemptToDelete(node, context);
      if (row.error === undefined) assert.equal(await attempt, 'done');
      else await assert.rejects(attempt, row.error);
      assert.deepEqual(live.requests, requests);
      assert.deepEqual(queued, row.queued ?? []);
      assert.equal(graph.node('a') === undefined, row.isRemoved === true);
    });
  }

  test('rejects a namespaced owner of a cluster-scoped object', async () => {
    const live = servers([meta('r', { namespace: '' })]);
    const { context, graph } = collectingOf(live);
    graph.observe(ROLE, observedObject(meta('r', { namespace: '', ...owned(owner('b')) })));
    const node = graph.node('b');
    assert.ok(node);
    await assert.rejects(attemptToDelete(node, context), NamespacedOwner);
    assert.deepEqual(live.requests, []);
  });

  test('rejects it also when a namespaced dependent named the object first', async () => {
    // Upstream searches for the owner in the namespace of the dependent, and deletes it when it is not found there.
    const { namespace: _, ...role } = meta('r', owned(owner('b')));
    const live = servers([role, meta('b', { namespace: 'there' })]);
    const { context, graph } = collectingOf(live);
    graph.observe(MAP, observedObject(meta('a', owned(owner('r', ROLE)))));
    const node = graph.node('r');
    assert.ok(node);
    await assert.rejects(attemptToDelete(node, context), NamespacedOwner);
    assert.deepEqual(live.requests, []);
  });

  test('retries a virtual owner that exists until a watch reports it', async () => {
    const live = servers([meta('b')]);
    const { context, graph } = collectingOf(live);
    graph.observe(MAP, observedObject(meta('a', owned(owner('b')))));
    const node = graph.node('b');
    assert.ok(node);
    assert.equal(await attemptToDelete(node, context), 'unseen');
    graph.observe(MAP, observedObject(meta('b')));
    assert.equal(await attemptToDelete(node, context), 'done');
  });
});

describe('attemptToOrphan', () => {
  const orphaning = { ...foreground, finalizers: ['orphan', 'example.com/other'] };
  const objects = [
    meta('a', orphaning),
    meta('b', owned(owner('a'))),
    meta('c', owned(owner('a'))),
  ];
  const finish = `patch a merge ${JSON.stringify({ metadata: { uid: 'a', resourceVersion: '7', finalizers: ['example.com/other'] } })}`;

  test('removes the references, then the finalizer', async () => {
    const live = servers(objects);
    const { context, graph } = collectingOf(live);
    for (const object of objects) graph.observe(MAP, observedObject(object));
    const node = graph.node('a');
    assert.ok(node);
    await attemptToOrphan(node, context);
    assert.deepEqual(live.requests, [removal('b', 'a'), removal('c', 'a'), finish]);
  });

  test('keeps the finalizer while a patch fails', async () => {
    const live = servers(objects, { isUnavailable: true });
    const { context, graph } = collectingOf(live);
    for (const object of objects) graph.observe(MAP, observedObject(object));
    graph.observe(REMOTE, observedObject(meta('d', owned(owner('a')))));
    const node = graph.node('a');
    assert.ok(node);
    await assert.rejects(attemptToOrphan(node, context), /it is unavailable/);
    assert.ok(!live.requests.includes(finish));
  });
});
