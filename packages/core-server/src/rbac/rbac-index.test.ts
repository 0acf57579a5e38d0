import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccessInfo, Decision, UserInfo } from '@tributary/server';
import { cpuMs, type SeededRandom, seededRandom } from '../../../../test/harness/index.ts';
import { largePolicy, ROLES_PER_USER_MAX } from '../../test/large-policy.ts';
import { NaivePolicy } from '../../test/naive-rbac.ts';
import { account, person } from '../../test/policy-fixture.ts';
import { rbacAuthorizer } from './rbac-authorizer.ts';
import { RbacIndex } from './rbac-index.ts';
import type { PolicyRule, RbacResource, Subject } from './types.ts';

const NAMESPACES = ['n0', 'n1', 'n2'];
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];
const RESOURCES: readonly RbacResource[] = [
  'roles',
  'clusterroles',
  'rolebindings',
  'clusterrolebindings',
];

test('after random changes the index decides like a scan of all objects', (t) => {
  const random = seededRandom(t);
  const index = new RbacIndex();
  const naive = new NaivePolicy();
  const authorize = rbacAuthorizer(index);
  let allowed = 0;
  for (let change = 0; change < 2000; change += 1) {
    applyRandomChange(random, index, naive);
    for (let request = 0; request < 4; request += 1) {
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
    const missingRoles = missing.map(({ kind, name }) => `${kind} ${name}`).sort();
    assert.deepEqual(missingRoles, naive.missingRoles(user, namespace));
  }
  t.diagnostic(`${allowed} requests were allowed`);
  assert.ok(allowed > 300, `only ${allowed} requests were allowed`);
});

test('an index from which everything was removed allows nothing', (t) => {
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
  for (let count = 0; count < 200; count += 1) {
    const request = { user: randomUser(random), info: randomAccess(random) };
    assert.deepEqual(rbacAuthorizer(index)(request), { allowed: false });
  }
});

/** More than ten times the CPU time of the decisions; a scan of all bindings for each takes seconds. */
const DECISIONS_MS_MAX = 250;

test('a decision looks at the roles of its user only, among 10,000 bindings of 1,000 roles', () => {
  const { index, requests } = largePolicy();
  for (const { user, info } of requests.slice(0, 500)) {
    const seen: string[] = [];
    index.someRole(user, info.namespace, (_slot, { object }) => {
      for (const { kind, name } of object.subjects ?? []) seen.push(`${kind} ${name}`);
      return false;
    });
    const own = new Set([`User ${user.name}`, ...user.groups.map((group) => `Group ${group}`)]);
    assert.deepEqual(
      seen.filter((subject) => !own.has(subject)),
      [],
    );
    assert.ok(seen.length > 0 && seen.length <= ROLES_PER_USER_MAX, `${seen.length} roles`);
  }
  const authorize = rbacAuthorizer(index);
  for (const request of requests) authorize(request); // Warms up the compiler.
  const usedMs = cpuMs(() => {
    for (const request of requests) authorize(request);
  });
  assert.ok(usedMs < DECISIONS_MS_MAX, `${usedMs} ms for ${requests.length} decisions`);
});

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
