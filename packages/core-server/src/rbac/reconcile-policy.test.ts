import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alreadyExists, conflict, notFound, StatusError } from '@tributary/apimachinery';
import { clusterBinding, clusterRole, rule, user } from '../../test/policy-fixture.ts';
import { type BootstrapPolicy, bootstrapPolicy, RBAC_RESOURCES } from './bootstrap-policy.ts';
import { reconcile } from './reconcile-object.ts';
import { type PolicyStore, reconcileBootstrapPolicy } from './reconcile-policy.ts';
import type { ClusterRole, RbacObjects, RbacResource, RoleBinding } from './types.ts';

const get = rule(['get'], [''], ['pods']);
const list = rule(['list'], [''], ['pods']);
const labels = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };
const annotations = { 'rbac.authorization.kubernetes.io/autoupdate': 'true' };
const expected: ClusterRole = {
  ...clusterRole('r', get, list),
  metadata: { name: 'r', labels, annotations },
};
const stored: ClusterRole = {
  ...expected,
  metadata: { ...expected.metadata, uid: '1', resourceVersion: '7' },
};
const selector = (name: string) => ({ matchLabels: { to: name } });
const gathering = (base: ClusterRole, ...names: string[]): ClusterRole => ({
  ...base,
  aggregationRule: { clusterRoleSelectors: names.map(selector) },
});

const roles: {
  name: string;
  expected: ClusterRole;
  existing: ClusterRole | undefined;
  want: object;
}[] = [
  {
    name: 'a missing role',
    expected,
    existing: undefined,
    want: { operation: 'create', object: expected },
  },
  { name: 'nothing to do', expected, existing: stored, want: { operation: 'none' } },
  {
    name: 'the same in other rules',
    expected,
    existing: { ...stored, rules: [rule(['list', 'get', 'watch'], ['*'], ['*'])] },
    want: { operation: 'none' },
  },
  {
    name: 'missing verbs come as a rule, extras stay',
    expected,
    existing: { ...stored, rules: [get, rule(['delete'], [''], ['x'])] },
    want: {
      operation: 'update',
      object: { ...stored, rules: [get, rule(['delete'], [''], ['x']), list] },
    },
  },
  {
    name: 'no rules at all',
    expected,
    existing: { ...stored, rules: null },
    want: { operation: 'update', object: { ...stored, rules: [get, list] } },
  },
  {
    name: 'a missing label, others stay',
    expected,
    existing: { ...stored, metadata: { ...stored.metadata, labels: { own: 'x' } } },
    want: {
      operation: 'update',
      object: { ...stored, metadata: { ...stored.metadata, labels: { ...labels, own: 'x' } } },
    },
  },
  {
    name: 'a changed label stays',
    expected,
    existing: {
      ...stored,
      metadata: { ...stored.metadata, labels: { 'kubernetes.io/bootstrapping': 'own' } },
    },
    want: { operation: 'none' },
  },
  {
    name: 'a protected role',
    expected,
    existing: {
      ...stored,
      rules: [],
      metadata: {
        ...stored.metadata,
        annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'false' },
      },
    },
    want: { operation: 'protected' },
  },
  {
    name: 'a missing selector',
    expected: gathering(expected, 'a', 'b'),
    existing: gathering(stored, 'own', 'a'),
    want: { operation: 'update', object: gathering(stored, 'own', 'a', 'b') },
  },
  {
    name: 'a role that should gather and does not',
    expected: gathering(expected, 'a'),
    existing: stored,
    want: { operation: 'update', object: gathering(stored, 'a') },
  },
  {
    name: 'a role that gathers and should not',
    expected,
    existing: gathering(stored, 'a'),
    want: { operation: 'update', object: stored },
  },
];
for (const { name, expected: wanted, existing, want } of roles) {
  test(name, () => assert.deepEqual(reconcile(wanted, existing), want));
}

const bound = clusterBinding('b', 'r', user('a'), user('b'));
const bindings: { name: string; existing: RoleBinding; want: object }[] = [
  {
    name: 'a binding that is complete',
    existing: { ...bound, subjects: [user('x'), user('b'), user('a')] },
    want: { operation: 'none' },
  },
  {
    name: 'a missing subject',
    existing: { ...bound, subjects: [user('x'), user('b')] },
    want: {
      operation: 'update',
      object: { ...bound, subjects: [user('x'), user('b'), user('a')] },
    },
  },
  {
    name: 'a binding of another role',
    existing: clusterBinding('b', 'other'),
    want: { operation: 'recreate', object: bound, existing: clusterBinding('b', 'other') },
  },
];
for (const { name, existing, want } of bindings) {
  test(name, () => assert.deepEqual(reconcile(bound, existing), want));
}

class FakeStore implements PolicyStore {
  readonly objects = new Map<string, RbacObjects[RbacResource]>();
  readonly log: string[] = [];
  /** Runs before a write; what it throws the write answers. */
  beforeWrite: (verb: string, key: string) => void = () => {};

  async get<Resource extends RbacResource>(
    resource: Resource,
    id: { namespace?: string | undefined; name: string },
  ) {
    return this.objects.get(`${resource}/${id.namespace ?? ''}/${id.name}`) as
      | RbacObjects[Resource]
      | undefined;
  }
  async create(resource: RbacResource, object: RbacObjects[RbacResource]): Promise<void> {
    const key = this.#write('create', resource, object);
    if (this.objects.has(key)) throw alreadyExists({ group: 'g', resource }, key);
    this.objects.set(key, object);
  }
  async update(resource: RbacResource, object: RbacObjects[RbacResource]): Promise<void> {
    this.objects.set(this.#write('update', resource, object), object);
  }
  async delete(resource: RbacResource, object: RbacObjects[RbacResource]): Promise<void> {
    const key = this.#write('delete', resource, object);
    if (!this.objects.delete(key)) throw notFound({ group: 'g', resource }, key);
  }
  #write(verb: string, resource: RbacResource, { metadata }: RbacObjects[RbacResource]): string {
    const key = `${resource}/${metadata.namespace ?? ''}/${metadata.name}`;
    this.beforeWrite(verb, key);
    this.log.push(`${verb} ${key}`);
    return key;
  }
}

const small: BootstrapPolicy = {
  clusterroles: [expected],
  clusterrolebindings: [bound],
  roles: [],
  rolebindings: [],
};
const none = { none: 0, protected: 0, create: 0, update: 0, recreate: 0 };

test('everything is made once, and the second time nothing', async () => {
  const store = new FakeStore();
  const total = RBAC_RESOURCES.reduce((sum, one) => sum + bootstrapPolicy()[one].length, 0);
  assert.ok(total > 120);
  assert.deepEqual((await reconcileBootstrapPolicy(store)).counts, { ...none, create: total });
  assert.deepEqual((await reconcileBootstrapPolicy(store)).counts, { ...none, none: total });
  assert.ok(store.objects.has('roles/kube-system/extension-apiserver-authentication-reader'));
});

test('somebody who makes the same object meanwhile wins, and is completed', async () => {
  const store = new FakeStore();
  let raced = false;
  store.beforeWrite = (verb, key) => {
    if (verb !== 'create' || key !== 'clusterroles//r' || raced) return;
    raced = true;
    store.objects.set(key, { ...stored, rules: [get] });
  };
  const { counts, failures } = await reconcileBootstrapPolicy(store, small);
  assert.deepEqual([counts, failures], [{ ...none, create: 1, update: 1 }, []]);
  assert.deepEqual(store.objects.get('clusterroles//r'), stored);
});

test('a binding of another role is replaced, also when it goes by itself', async () => {
  for (const goes of [false, true]) {
    const store = new FakeStore();
    store.objects.set('clusterrolebindings//b', clusterBinding('b', 'other'));
    store.beforeWrite = (verb, key) => goes && verb === 'delete' && store.objects.delete(key);
    const { counts } = await reconcileBootstrapPolicy(store, small);
    assert.deepEqual(counts, { ...none, create: 1, recreate: 1 });
    assert.deepEqual(store.objects.get('clusterrolebindings//b'), bound);
  }
});

test('conflicts are tried again, but not for ever, and the rest is done', async () => {
  const store = new FakeStore();
  let tries = 0;
  store.beforeWrite = (_verb, key) => {
    if (key !== 'clusterroles//r') return;
    tries += 1;
    throw conflict({ group: 'g', resource: 'clusterroles' }, 'r', 'somebody was faster');
  };
  const { counts, failures } = await reconcileBootstrapPolicy(store, small);
  assert.deepEqual(counts, { ...none, create: 1 });
  assert.equal(tries, 5);
  assert.deepEqual(
    failures.map(({ resource, name }) => [resource, name]),
    [['clusterroles', 'r']],
  );
  assert.ok(failures[0]?.error instanceof StatusError);
});
