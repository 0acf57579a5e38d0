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
const aggregating = (base: ClusterRole, ...names: string[]): ClusterRole => ({
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
    name: 'a missing role is created',
    expected,
    existing: undefined,
    want: { operation: 'create', object: expected },
  },
  { name: 'an equal role is not written', expected, existing: stored, want: { operation: 'none' } },
  {
    name: 'a role that grants the same by other rules is not written',
    expected,
    existing: { ...stored, rules: [rule(['list', 'get', 'watch'], ['*'], ['*'])] },
    want: { operation: 'none' },
  },
  {
    name: 'missing verbs are added as a rule, other rules stay',
    expected,
    existing: { ...stored, rules: [get, rule(['delete'], [''], ['x'])] },
    want: {
      operation: 'update',
      object: { ...stored, rules: [get, rule(['delete'], [''], ['x']), list] },
    },
  },
  {
    name: 'a role without rules gets all of them',
    expected,
    existing: { ...stored, rules: null },
    want: { operation: 'update', object: { ...stored, rules: [get, list] } },
  },
  {
    name: 'a missing label is added, others stay',
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
    name: 'a role with autoupdate "false" is not written',
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
    name: 'a missing selector is added',
    expected: aggregating(expected, 'a', 'b'),
    existing: aggregating(stored, 'own', 'a'),
    want: { operation: 'update', object: aggregating(stored, 'own', 'a', 'b') },
  },
  {
    name: 'a missing aggregationRule is added',
    expected: aggregating(expected, 'a'),
    existing: stored,
    want: { operation: 'update', object: aggregating(stored, 'a') },
  },
  {
    name: 'an unexpected aggregationRule is removed',
    expected,
    existing: aggregating(stored, 'a'),
    want: { operation: 'update', object: stored },
  },
];
for (const { name, expected: wanted, existing, want } of roles) {
  test(name, () => assert.deepEqual(reconcile(wanted, existing), want));
}

const bound = clusterBinding('b', 'r', user('a'), user('b'));
const bindings: { name: string; existing: RoleBinding; want: object }[] = [
  {
    name: 'a binding with more subjects is not written',
    existing: { ...bound, subjects: [user('x'), user('b'), user('a')] },
    want: { operation: 'none' },
  },
  {
    name: 'a missing subject is added',
    existing: { ...bound, subjects: [user('x'), user('b')] },
    want: {
      operation: 'update',
      object: { ...bound, subjects: [user('x'), user('b'), user('a')] },
    },
  },
  {
    name: 'a binding of another role is recreated',
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
  /** Runs before a write, which fails with the error it throws. */
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

test('the bootstrap policy is created once', async () => {
  const store = new FakeStore();
  const total = RBAC_RESOURCES.reduce((sum, one) => sum + bootstrapPolicy()[one].length, 0);
  assert.ok(total > 120);
  assert.deepEqual((await reconcileBootstrapPolicy(store)).counts, { ...none, create: total });
  assert.deepEqual((await reconcileBootstrapPolicy(store)).counts, { ...none, none: total });
  assert.ok(store.objects.has('roles/kube-system/extension-apiserver-authentication-reader'));
});

test('an object that another client creates meanwhile is completed', async () => {
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

test('a binding of another role is replaced, also when another client deletes it', async () => {
  for (const goes of [false, true]) {
    const store = new FakeStore();
    store.objects.set('clusterrolebindings//b', clusterBinding('b', 'other'));
    store.beforeWrite = (verb, key) => goes && verb === 'delete' && store.objects.delete(key);
    const { counts } = await reconcileBootstrapPolicy(store, small);
    assert.deepEqual(counts, { ...none, create: 1, recreate: 1 });
    assert.deepEqual(store.objects.get('clusterrolebindings//b'), bound);
  }
});

test('conflicts are retried up to five times, and other objects are still written', async () => {
  const store = new FakeStore();
  let tries = 0;
  store.beforeWrite = (_verb, key) => {
    if (key !== 'clusterroles//r') return;
    tries += 1;
    throw conflict({ group: 'g', resource: 'clusterroles' }, 'r', 'the object has been modified');
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
