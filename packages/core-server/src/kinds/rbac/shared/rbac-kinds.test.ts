import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { RoleBinding } from '@tributary/api/rbac-v1';
import type { Status } from '@tributary/apimachinery';
import { defineApi } from '@tributary/server/definition';
import { startTestServer, type TestServer } from '@tributary/server/testing';
import type { EscalationSources } from '../../../rbac/escalation.ts';
import type { PolicyRule } from '../../../rbac/types.ts';
import { clusterRoleKind } from '../cluster-role/kind.ts';
import { clusterRoleBindingKind } from '../cluster-role-binding/kind.ts';
import { roleKind } from '../role/kind.ts';
import { roleBindingKind } from '../role-binding/kind.ts';

const GROUP = 'rbac.authorization.k8s.io';
const read: PolicyRule = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };
const write: PolicyRule = { apiGroups: [''], resources: ['pods'], verbs: ['update'] };

/** Mary has one rule in all namespaces; Eve may escalate the role `named`. */
const sources: EscalationSources = {
  authorize: ({ user, info }) => ({
    allowed: user.name === 'eve' && info.verb === 'escalate' && info.name === 'named',
  }),
  rulesFor: ({ name }) => ({ rules: name === 'mary' ? [read] : [], missing: [] }),
  roleOf: ({ name }) => (name === 'reader' ? [read] : name === 'writer' ? [write] : undefined),
};
const kinds = {
  clusterRole: clusterRoleKind(sources),
  clusterRoleBinding: clusterRoleBindingKind(sources),
  role: roleKind(sources),
  roleBinding: roleBindingKind(sources),
};
const api = defineApi({ group: GROUP, builtIn: true, resources: Object.values(kinds) });

let server: TestServer;
before(async () => {
  server = await startTestServer(api);
});
after(() => server.close());
beforeEach(() => server.reset());

const base = `/apis/${GROUP}/v1`;
const pathOf = (plural: string) =>
  plural.startsWith('cluster') ? `${base}/${plural}` : `${base}/namespaces/default/${plural}`;

describe('privilege escalation is forbidden', () => {
  const bound = (name: string) => ({ roleRef: { kind: 'ClusterRole', name } });
  const cases: readonly {
    name: string;
    plural: string;
    user: string;
    body: object;
    status: number;
    message?: RegExp;
  }[] = [
    { name: 'a held rule', plural: 'roles', user: 'mary', body: { rules: [read] }, status: 201 },
    {
      name: 'a rule that is not held',
      plural: 'roles',
      user: 'mary',
      body: { rules: [write] },
      status: 403,
      message:
        /^roles\.rbac\.authorization\.k8s\.io "a" is forbidden: user "mary" .* not currently held:\n\{APIGroups:\[""\], Resources:\["pods"\], Verbs:\["update"\]\}$/,
    },
    {
      name: 'a rule that is not held, in the whole cluster',
      plural: 'clusterroles',
      user: 'mary',
      body: { rules: [write] },
      status: 403,
      message: /^clusterroles\.rbac/,
    },
    {
      name: 'a gathering role',
      plural: 'clusterroles',
      user: 'mary',
      body: { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } },
      status: 403,
      message: /must have cluster-admin privileges to use the aggregationRule$/,
    },
    {
      name: 'a role that is held',
      plural: 'rolebindings',
      user: 'mary',
      body: bound('reader'),
      status: 201,
    },
    {
      name: 'a role that is not held',
      plural: 'clusterrolebindings',
      user: 'mary',
      body: bound('writer'),
      status: 403,
      message: /^clusterrolebindings\.rbac/,
    },
    {
      name: 'a role that is not there',
      plural: 'rolebindings',
      user: 'mary',
      body: bound('none'),
      status: 404,
      message: /^rolebindings\.rbac\.authorization\.k8s\.io "none" not found$/,
    },
    {
      name: 'a new role by a name that is allowed, which a POST does not have',
      plural: 'roles',
      user: 'eve',
      body: { metadata: { name: 'named' }, rules: [write] },
      status: 403,
    },
  ];
  for (const { name, plural, user, body, status, message } of cases) {
    test(name, async () => {
      const sent = { metadata: { name: 'a' }, ...body };
      const options = { body: sent, user };
      const response = await server.request<Status>('POST', pathOf(plural), options);
      assert.equal(response.status, status, response.text);
      if (message) assert.match(response.object.message ?? '', message);
    });
  }

  test('an update is authorized with the name in its path', async () => {
    const roles = server.client(kinds.role);
    for (const name of ['named', 'other']) await roles.create({ metadata: { name }, rules: [] });
    const requested = async (user: string, name: string) =>
      (
        await server.request('PATCH', `${pathOf('roles')}/${name}`, {
          user,
          body: { rules: [write] },
        })
      ).status;
    assert.equal(await requested('eve', 'other'), 403);
    assert.equal(await requested('eve', 'named'), 200);
  });

  for (const plural of ['roles', 'clusterroles']) {
    test(`a PUT that creates one of ${plural} has a name in its path`, async () => {
      const requested = async (name: string) => {
        const body = { metadata: { name }, rules: [write] };
        const path = `${pathOf(plural)}/${name}`;
        return (await server.request('PUT', path, { user: 'eve', body })).status;
      };
      assert.equal(await requested('other'), 403);
      assert.equal(await requested('named'), 201);
    });
  }
});

describe('RBAC objects', () => {
  test('a binding gets default API groups', async () => {
    const bindings = server.client(kinds.roleBinding);
    const made = await bindings.create({
      metadata: { name: 'system:a:b' },
      roleRef: { apiGroup: '', kind: 'ClusterRole', name: 'view' },
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'ServiceAccount', name: 's', namespace: 'eu' },
      ],
    });
    assert.equal(made.roleRef.apiGroup, GROUP);
    assert.deepEqual(made.subjects, [
      { kind: 'User', apiGroup: GROUP, name: 'u' },
      { kind: 'ServiceAccount', name: 's', namespace: 'eu' },
    ]);
  });

  const refused: readonly { name: string; plural: string; body: object; causes: string[] }[] = [
    {
      name: 'a rule without verbs, which Go has as null',
      plural: 'roles',
      body: { rules: [{ apiGroups: [''], resources: ['pods'] }] },
      causes: ['rules[0].verbs'],
    },
    {
      name: 'metadata is told of with the rest',
      plural: 'clusterroles',
      body: { metadata: { name: 'a', labels: { 'b c': '' } }, rules: [{ verbs: ['get'] }] },
      causes: ['metadata.labels', 'rules[0].apiGroups', 'rules[0].resources'],
    },
    {
      name: 'a bad name is told of once',
      plural: 'clusterrolebindings',
      body: { metadata: { name: 'a%b' }, roleRef: { kind: 'Role', name: 'x' } },
      causes: ['metadata.name', 'roleRef.kind'],
    },
  ];
  for (const { name, plural, body, causes } of refused) {
    test(name, async () => {
      const sent = { metadata: { name: 'a' }, ...body };
      const { status, object } = await server.request<Status>('POST', pathOf(plural), {
        body: sent,
      });
      assert.equal(status, 422);
      assert.deepEqual(
        object.details?.causes?.map(({ field }) => field),
        causes,
      );
    });
  }

  test('the roleRef of a binding is immutable', async () => {
    const bindings = server.client(kinds.clusterRoleBinding);
    const roleRef = { apiGroup: GROUP, kind: 'ClusterRole', name: 'view' };
    const made = await bindings.create({ metadata: { name: 'a' }, roleRef });
    await assert.rejects(
      bindings.update({ ...made, roleRef: { ...roleRef, name: 'edit' } }),
      /roleRef: Invalid value: \{"APIGroup":"rbac\.authorization\.k8s\.io","Kind":"ClusterRole","Name":"edit"\}: field is immutable$/,
    );
  });

  test('a role without rules has null', async () => {
    const role = await server.client(kinds.role).create({ metadata: { name: 'a' }, rules: null });
    assert.equal(role.rules, null);
  });
});

test('the columns of a binding show its role and subjects', () => {
  const [version] = [...kinds.roleBinding.versions.values()];
  const binding: RoleBinding = {
    apiVersion: base,
    kind: 'RoleBinding',
    metadata: { name: 'a', creationTimestamp: '2001-01-01T00:00:00Z' },
    roleRef: { apiGroup: GROUP, kind: 'Role', name: 'r' },
    subjects: [
      { kind: 'User', name: 'u' },
      { kind: 'Group', name: 'g' },
      { kind: 'ServiceAccount', name: 's', namespace: 'eu' },
      { kind: 'User', name: 'v' },
    ],
  };
  assert.deepEqual(
    version?.columns.map(({ name, priority, cell }) => [name, priority, cell(binding)]),
    [
      ['Name', 0, 'a'],
      ['Role', 0, 'Role/r'],
      ['Age', 0, '2001-01-01T00:00:00Z'],
      ['Users', 1, 'u, v'],
      ['Groups', 1, 'g'],
      ['ServiceAccounts', 1, 'eu/s'],
    ],
  );
});
