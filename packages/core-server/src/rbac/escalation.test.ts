/** Texts are compared with upstream's in interop/core-policy; these tests cover what no request can reach there. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccessRequest } from '@tributary/server';
import {
  binding,
  clusterBinding,
  clusterRole,
  person,
  role,
  rule,
  user,
} from '../../test/policy-fixture.ts';
import { checkBinding, checkRole, type EscalationSources } from './escalation.ts';

const write = rule(['delete'], [''], ['pods']);
const refuseAll: EscalationSources = {
  authorize: () => ({ allowed: false }),
  rulesFor: () => ({ rules: [], missing: [] }),
  roleOf: () => [write],
};

function recordAccess(allowedVerb = ''): {
  requested: AccessRequest[];
  sources: EscalationSources;
} {
  const requested: AccessRequest[] = [];
  const authorize = async (request: AccessRequest) => {
    requested.push(request);
    return { allowed: request.info.verb === allowedVerb };
  };
  return { requested, sources: { ...refuseAll, authorize } };
}

test('the verb escalate is authorized for the role in the URL', async () => {
  const { requested, sources } = recordAccess('escalate');
  const newRole = role('eu', 'new', write);
  await checkRole({ user: person('u'), role: newRole, namespace: 'eu' }, sources);
  await checkRole(
    { user: person('u'), role: newRole, namespace: 'eu', requestName: 'new' },
    sources,
  );
  await checkRole({ user: person('u'), role: clusterRole('new', write) }, sources);
  assert.deepEqual(
    requested.map(({ info }) => [
      info.verb,
      info.group,
      info.version,
      info.resource,
      info.namespace,
      info.name,
    ]),
    [
      ['escalate', 'rbac.authorization.k8s.io', '*', 'roles', 'eu', ''],
      ['escalate', 'rbac.authorization.k8s.io', '*', 'roles', 'eu', 'new'],
      ['escalate', 'rbac.authorization.k8s.io', '*', 'clusterroles', '', ''],
    ],
  );
});

test('the verb bind is authorized for the bound role in the namespace of the binding', async () => {
  const { requested, sources } = recordAccess('bind');
  const local = binding('eu', 'b', { kind: 'ClusterRole', name: 'r' }, user('x'));
  await checkBinding({ user: person('u'), binding: local, namespace: 'eu' }, sources);
  await checkBinding({ user: person('u'), binding: clusterBinding('b', 'r') }, sources);
  assert.deepEqual(
    requested.map(({ info }) => [info.verb, info.resource, info.namespace, info.name]),
    [
      ['bind', 'clusterroles', 'eu', 'r'],
      ['bind', 'clusterroles', '', 'r'],
    ],
  );
});

test('an error of the authorizer is reported and denies', async () => {
  const reported: unknown[] = [];
  const outage = new Error('unavailable');
  const sources = {
    ...refuseAll,
    authorize: () => Promise.reject(outage),
    reportError: (error: unknown) => reported.push(error),
  };
  await assert.rejects(checkRole({ user: person('u'), role: clusterRole('r', write) }, sources), {
    code: 403,
  });
  await assert.rejects(
    checkBinding({ user: person('u'), binding: clusterBinding('b', 'r') }, sources),
    {
      code: 403,
    },
  );
  assert.deepEqual(reported, [outage, outage]);
});

test('members of system:masters are not checked', async () => {
  const broken = (): never => assert.fail('requested');
  const sources = { authorize: broken, rulesFor: broken, roleOf: broken };
  const master = person('u', ['system:masters']);
  await checkRole({ user: master, role: clusterRole('r', write) }, sources);
  await checkBinding({ user: master, binding: clusterBinding('b', 'r') }, sources);
});

const before = {
  ...clusterRole('r', write),
  metadata: { name: 'r', uid: '1', resourceVersion: '5' },
};
const updates = [
  {
    name: 'ownerReferences',
    metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'A', name: 'a', uid: 'u' }] },
    refused: false,
  },
  { name: 'finalizers', metadata: { finalizers: ['a.b/c'] }, refused: false },
  { name: 'managedFields', metadata: { managedFields: [{ manager: 'm' }] }, refused: false },
  { name: 'labels', metadata: { labels: { a: 'b' } }, refused: true },
  { name: 'annotations', metadata: { annotations: { a: 'b' } }, refused: true },
  { name: 'empty fields only', metadata: { labels: {}, annotations: {} }, refused: false },
];
for (const { name, metadata, refused } of updates) {
  test(`an update of ${name} is ${refused ? 'checked' : 'not checked'}`, async () => {
    const next = { ...before, metadata: { ...before.metadata, ...metadata } };
    const checked = checkRole({ user: person('u'), role: next, oldRole: before }, refuseAll);
    if (refused) await assert.rejects(checked, { code: 403 });
    else await checked;
  });
}
