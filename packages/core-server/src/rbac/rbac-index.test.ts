import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccessInfo, Decision, UserInfo } from '@tributary/server';
import { type SeededRandom, seededRandom } from '../../../../test/harness/index.ts';
import { NaivePolicy } from '../../test/naive-rbac.ts';
import { account, binding, clusterBinding, person } from '../../test/policy-fixture.ts';
import { rbacAuthorizer } from './rbac-authorizer.ts';
import { RbacIndex } from './rbac-index.ts';
import type { PolicyRule, RbacResource, RoleBinding, Subject } from './types.ts';

const NAMESPACES = ['n0', 'n1', 'n2'];
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];
const RESOURCES: readonly RbacResource[] = [
  'roles',
  'clusterroles',
  'rolebindings',
  'clusterrolebindings',
];

test('after any changes it decides like somebody who reads everything', (t) => {
  const random = seededRandom(t);
  const index = new RbacIndex();
  const naive = new NaivePolicy();
  const authorize = rbacAuthorizer(index);
  let allowed = 0;
  for (let change = 0; change < 2000; change += 1) {
    applyRandomChange(random, index, naive);
    for (let question = 0; question < 4; question += 1) {
      const [user, info] = [randomUser(random), randomAccess(random)];
      const decision = authorize({ user, info }) as Decision;
      const through = naive.allowingBindings(user, info);
      assert.equal(decision.allowed, through.length > 0, JSON.stringify({ user, info, through }));
      if (!decision.allowed) continue;
      allowed += 1;
      const named = /Binding "([^"]+)" of/.exec(decision.reason ?? '')?.[1];
      assert.ok(through.includes(named ?? ''), `${decision.reason} is not among ${through}`);
    }
    const [user, namespace] = [randomUser(random), random.pick(['', ...NAMESPACES])];
    const { rules, missing } = index.rulesFor(user, namespace);
    assert.deepEqual(
      rules.map((rule) => JSON.stringify(rule)).sort(),
      naive.rulesOf(user, namespace),
    );
    const gone = missing.map(({ kind, name }) => `${kind} ${name}`).sort();
    assert.deepEqual(gone, naive.missingRoles(user, namespace));
  }
  t.diagnostic(`${allowed} questions were allowed`);
  assert.ok(allowed > 300, `only ${allowed} questions were allowed`);
});

test('an index that lost everything decides as an empty one', (t) => {
  const random = seededRandom(t);
  const index = new RbacIndex();
  const naive = new NaivePolicy();
  for (let change = 0; change < 300; change += 1) applyRandomChange(random, index, naive);
  for (const resource of random.shuffle(RESOURCES)) {
    const namespaces = resource.startsWith('cluster') ? [''] : NAMESPACES;
    for (const namespace of namespaces) {
      for (const name of NAMES) index.remove(resource, { namespace, name });
    }
  }
  for (let question = 0; question < 200; question += 1) {
    const request = { user: randomUser(random), info: randomAccess(random) };
    assert.deepEqual(rbacAuthorizer(index)(request), { allowed: false });
  }
});

/** A tenth of that on an idle machine; who looks at every binding takes many times as long. */
const MEDIAN_MICROSECONDS_MAX = 60;

test('a decision takes microseconds with 10,000 bindings of 1,000 roles', (t) => {
  const index = new RbacIndex();
  for (let number = 0; number < 1000; number += 1) {
    index.put('clusterroles', {
      ...{ apiVersion: '', kind: '' },
      metadata: { name: `role-${number}` },
      rules: Array.from({ length: 10 }, (_, one) => ({
        verbs: ['get', 'list'],
        apiGroups: [`group-${one}`],
        resources: [`things-${number}`, `others-${one}`],
      })),
    });
  }
  for (let number = 0; number < 10_000; number += 1) index.put(...largeBinding(number));
  const authorize = rbacAuthorizer(index);
  const tookMicroseconds = Array.from({ length: 5000 }, (_, number) => {
    const user = person(`user-${number % 5000}`, groupsOf(number));
    // Every second question has no answer, and is asked of all roles of the user.
    const resource = number % 2 === 0 ? `things-${(number * 2) % 1000}` : 'nothing';
    const info = {
      ...blank,
      verb: 'get',
      group: 'group-3',
      resource,
      namespace: `n${number % 100}`,
    };
    const startMs = performance.now();
    authorize({ user, info });
    return (performance.now() - startMs) * 1000;
  });
  const median = tookMicroseconds.sort((a, b) => a - b)[2500] ?? Number.NaN;
  t.diagnostic(`median ${median.toFixed(2)} µs`);
  assert.ok(median < MEDIAN_MICROSECONDS_MAX, `median ${median} µs`);
});

/** Half for users in namespaces, half for groups in the cluster; one group has a hundred of them. */
function largeBinding(number: number): ['rolebindings' | 'clusterrolebindings', RoleBinding] {
  const name = `role-${(number * 7) % 1000}`;
  if (number % 2 === 0) {
    const to = { kind: 'ClusterRole', name };
    const subject = { kind: 'User', name: `user-${number / 2}` };
    return ['rolebindings', binding(`n${number % 100}`, `b${number}`, to, subject)];
  }
  const group = number % 100 === 1 ? 'everybody' : `group-${number}`;
  return [
    'clusterrolebindings',
    clusterBinding(`b${number}`, name, { kind: 'Group', name: group }),
  ];
}

function groupsOf(number: number): string[] {
  return ['everybody', ...Array.from({ length: 8 }, (_, one) => `group-${number + one}`)];
}

const blank: AccessInfo = {
  isResourceRequest: true,
  verb: '',
  path: '',
  group: '',
  version: 'v1',
  namespace: '',
  resource: '',
  subresource: '',
  name: '',
  fieldSelector: '',
  labelSelector: '',
};

function applyRandomChange(random: SeededRandom, index: RbacIndex, naive: NaivePolicy): void {
  const resource = random.pick(RESOURCES);
  const isCluster = resource.startsWith('cluster');
  const namespace = isCluster ? '' : random.pick(NAMESPACES);
  const name = random.pick(NAMES);
  if (random.chance(0.25)) {
    index.remove(resource, { namespace, name });
    naive.remove(resource, namespace, name);
    return;
  }
  const metadata = { name, ...(isCluster ? {} : { namespace }) };
  if (resource === 'roles' || resource === 'clusterroles') {
    const rules = random.chance(0.1) ? null : some(random, 6, () => randomRule(random));
    const object = { apiVersion: '', kind: '', metadata, rules };
    index.put(resource, object);
    naive.put(resource, object);
  } else {
    const kind = random.pick(['ClusterRole', 'ClusterRole', 'Role', 'Thing']);
    const roleRef = { kind, name: random.pick(NAMES) };
    const subjects = some(random, 5, () => randomSubject(random));
    const object = { apiVersion: '', kind: '', metadata, subjects, roleRef };
    index.put(resource, object);
    naive.put(resource, object);
  }
}

function randomRule(random: SeededRandom): PolicyRule {
  const verbs = some(random, 2, () => random.pick(['get', 'list', 'create', '*']));
  if (random.chance(0.25)) {
    const urls = ['/a', '/a/*', '/a*', '*', '/b/', '/b/**'];
    return { verbs, nonResourceURLs: some(random, 2, () => random.pick(urls)) };
  }
  const resources = ['x', 'y', '*', 'x/log', '*/log', '*/*', '*/status'];
  return {
    verbs,
    apiGroups: some(random, 2, () => random.pick(['', 'g', '*'])),
    resources: some(random, 2, () => random.pick(resources)),
    ...(random.chance(0.3) && {
      resourceNames: some(random, 2, () => random.pick(['', 'o', 'p'])),
    }),
  };
}

function randomSubject(random: SeededRandom): Subject {
  const kind = random.pick(['User', 'Group', 'ServiceAccount', 'Robot']);
  if (kind !== 'ServiceAccount') return { kind, name: random.pick(['u0', 'u1', 'u2']) };
  const home = random.pick([undefined, '', ...NAMESPACES]);
  return { kind, name: random.pick(['s0', 's1']), ...(home !== undefined && { namespace: home }) };
}

function randomUser(random: SeededRandom): UserInfo {
  if (random.chance(0.3)) return account(random.pick(NAMESPACES), random.pick(['s0', 's1']));
  return person(
    random.pick(['u0', 'u1', 'u2']),
    some(random, 2, () => random.pick(['u0', 'u1', 'u2'])),
  );
}

function randomAccess(random: SeededRandom): AccessInfo {
  const verb = random.pick(['get', 'list', 'create', 'delete', '*']);
  if (random.chance(0.25)) {
    const path = random.pick(['/a', '/a/', '/a/b', '/ab', '/b', '/b/c', '/', '']);
    return { ...blank, isResourceRequest: false, verb, path };
  }
  return {
    ...blank,
    verb,
    group: random.pick(['', 'g', 'h', '*']),
    namespace: random.pick(['', ...NAMESPACES]),
    resource: random.pick(['x', 'y', 'z', '*']),
    subresource: random.pick(['', '', 'log', 'status', '*']),
    name: random.pick(['', 'o', 'q']),
  };
}

function some<Value>(random: SeededRandom, max: number, make: () => Value): Value[] {
  return Array.from({ length: random.chance(0.1) ? 0 : random.int(1, max) }, make);
}
