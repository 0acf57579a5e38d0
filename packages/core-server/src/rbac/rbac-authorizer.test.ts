import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessOf, permissionRows } from '../../test/permission-rows.ts';
import { binding, indexedPolicy, person, user, users } from '../../test/policy-fixture.ts';
import { privilegedGroups, unionAuthorizer } from '../authorization/union.ts';
import { rbacAuthorizer } from './rbac-authorizer.ts';
import { RbacIndex } from './rbac-index.ts';

const authorize = unionAuthorizer([
  { name: 'privileged', authorize: privilegedGroups() },
  { name: 'rbac', authorize: rbacAuthorizer(indexedPolicy()) },
]);

test('the table of permissions has more than 150 rows', () => {
  assert.ok(permissionRows.length > 150, `${permissionRows.length} rows`);
});

for (const row of permissionRows) {
  const where = [row.namespace && `in ${row.namespace}`, row.name && `named ${row.name}`];
  const what = [row.user, row.verb, row.target, ...where].filter(Boolean).join(' ');
  test(`${what}: ${row.want || 'allowed'}`, () => {
    const decision = authorize({ user: users[row.user], info: accessOf(row) });
    assert.deepEqual(decision, wanted(row.want));
  });
}

function wanted(want: string): object {
  if (want === '') return { allowed: true };
  if (want === 'no') return { allowed: false };
  return { allowed: want.startsWith('RBAC: allowed by'), reason: want };
}

test('a roleRef of an unknown kind grants nothing', () => {
  const index = new RbacIndex();
  index.put('clusterroles', {
    ...{ apiVersion: '', kind: '' },
    metadata: { name: 'r' },
    rules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  });
  index.put('rolebindings', binding('eu', 'b', { kind: 'clusterroles', name: 'r' }, user('u')));
  const row = { user: 'nobody', verb: 'get', target: 'pods', namespace: 'eu', name: '' } as const;
  assert.deepEqual(
    rbacAuthorizer(index)({ user: person('u'), info: accessOf({ ...row, want: '' }) }),
    { allowed: false, reason: 'RBAC: unsupported role reference kind: "clusterroles"' },
  );
});
