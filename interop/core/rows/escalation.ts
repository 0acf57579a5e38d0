/** A user cannot grant permissions that the user does not have. */
import type { JsonObject } from '../../differential/json.ts';
import type { RequestStep, RowGroup } from '../../differential/row.ts';
import { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '../kinds.ts';
import { ALICE, asEve, granted, grantedEve, RBAC, rule } from './policy.ts';
import { apply, feature, given, type More, object, patch, post, put } from './words.ts';

const row = feature('escalation');
const alice: More = { as: 'alice' };
const writes = ['create', 'update', 'patch'];
/** May write roles and bindings, and read ConfigMaps. */
const manager = [
  rule(['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'], writes, {
    apiGroups: [RBAC],
  }),
  rule(['configmaps'], ['get', 'list']),
];
const also = (resource: string, verb: string, more: JsonObject = {}): JsonObject[] => [
  ...manager,
  rule([resource], [verb], { apiGroups: [RBAC], ...more }),
];
const held = rule(['configmaps'], ['get']);
const notHeld = rule(['secrets', 'configmaps'], ['get', 'delete']);
const named = rule(['secrets'], ['get'], { resourceNames: ['b', 'a'] });
const role = (...rules: JsonObject[]): JsonObject => object(Role, { rules });
const create = (...rules: JsonObject[]): RequestStep => post(Role, role(...rules), alice);
const bind = (kind: string, name: string): JsonObject =>
  object(RoleBinding, { roleRef: { apiGroup: RBAC, kind, name }, subjects: [ALICE] });
const binds = (kind: string, name: string): RequestStep =>
  post(RoleBinding, bind(kind, name), alice);
const star = { apiGroups: ['*'], resources: ['*'], verbs: ['*'] };

export const escalation: RowGroup = {
  name: 'escalation',
  rows: [
    row('a role with rights that are held', ...granted(ALICE, manager), create(held)),
    row('a role with rights that are not', ...granted(ALICE, manager), create(notHeld)),
    row('a role with several rules', ...granted(ALICE, manager), create(held, named, star)),
    row('a role without rules', ...granted(ALICE, manager), create()),
    row('a role that is invalid as well', ...granted(ALICE, manager), create({ verbs: ['get'] })),
    row('a role as a dry run', ...granted(ALICE, manager), {
      ...create(notHeld),
      query: { dryRun: 'All' },
    }),
    row(
      'a role by who may escalate',
      ...granted(ALICE, also('roles', 'escalate')),
      create(notHeld),
    ),
    row(
      'another role than who may escalate',
      ...granted(ALICE, also('roles', 'escalate', { resourceNames: ['b'] })),
      create(notHeld),
    ),
    row(
      'a role of one name is not all',
      ...granted(ALICE, [...manager, named]),
      create(rule(['secrets'], ['get'])),
    ),
    row(
      'a role of one name is that one',
      ...granted(ALICE, [...manager, named]),
      create(rule(['secrets'], ['get'], { resourceNames: ['a'] })),
    ),
    row(
      'an update that adds',
      ...granted(ALICE, manager),
      given(Role, { rules: [held] }),
      put(Role, { rules: [held, named] }, alice),
    ),
    row(
      'an update that adds nothing',
      ...granted(ALICE, manager),
      given(Role, { rules: [notHeld] }),
      put(Role, { rules: [notHeld], metadata: { annotations: { a: 'b' } } }, alice),
    ),
    row(
      'an update that takes away',
      ...granted(ALICE, manager),
      given(Role, { rules: [notHeld, held] }),
      put(Role, { rules: [held] }, alice),
    ),
    row(
      'an update that keeps what is not held',
      ...granted(ALICE, manager),
      given(Role, { rules: [notHeld, held] }),
      put(Role, { rules: [notHeld] }, alice),
    ),
    row(
      'a patch that adds',
      ...granted(ALICE, manager),
      given(Role),
      patch(Role, 'merge', { rules: [named] }, alice),
    ),
    row('an apply that adds', ...granted(ALICE, manager), apply(Role, { rules: [named] }, alice)),
    row(
      'a binding to a role that is held',
      ...granted(ALICE, manager),
      given(Role, { rules: [held] }),
      binds('Role', 'a'),
    ),
    row(
      'a binding to a role that is not',
      ...granted(ALICE, manager),
      given(Role, { rules: [named] }),
      binds('Role', 'a'),
    ),
    row(
      'a binding to a role that does not exist',
      ...granted(ALICE, manager),
      binds('Role', 'none'),
    ),
    row(
      'a binding to a cluster role that does not exist',
      ...granted(ALICE, manager),
      binds('ClusterRole', '{ns}-none'),
    ),
    row(
      'a binding to cluster-admin',
      ...granted(ALICE, manager),
      binds('ClusterRole', 'cluster-admin'),
    ),
    row(
      'a binding by who may bind',
      ...granted(ALICE, also('roles', 'bind', { resourceNames: ['a'] })),
      given(Role, { rules: [named] }),
      binds('Role', 'a'),
    ),
    row(
      'a binding to a cluster role by who may bind',
      ...granted(ALICE, also('clusterroles', 'bind', { resourceNames: ['cluster-admin'] })),
      binds('ClusterRole', 'cluster-admin'),
    ),
    row(
      'a binding by who may bind another',
      ...granted(ALICE, also('roles', 'bind', { resourceNames: ['b'] })),
      given(Role, { rules: [named] }),
      binds('Role', 'a'),
    ),
    row(
      'more subjects in a binding',
      ...granted(ALICE, manager),
      given(Role, { rules: [named] }),
      given(RoleBinding, { roleRef: { apiGroup: RBAC, kind: 'Role', name: 'a' } }, 'b'),
      {
        name: 'patch',
        method: 'PATCH',
        path: `/apis/${RBAC}/v1/namespaces/{ns}/rolebindings/b`,
        headers: { 'content-type': 'application/merge-patch+json' },
        body: { subjects: [ALICE] },
        as: 'alice',
      },
    ),
    row(
      'a cluster role with rights that are held',
      ...grantedEve(manager),
      post(ClusterRole, object(ClusterRole, { rules: [held] }), asEve),
    ),
    row(
      'a cluster role with rights that are not',
      ...grantedEve(manager),
      post(
        ClusterRole,
        object(ClusterRole, { rules: [notHeld, { nonResourceURLs: ['/x'], verbs: ['get'] }] }),
        asEve,
      ),
    ),
    row(
      'a cluster role by who may escalate',
      ...grantedEve(also('clusterroles', 'escalate')),
      post(ClusterRole, object(ClusterRole, { rules: [star] }), asEve),
    ),
    row(
      'an aggregation',
      ...grantedEve(manager),
      post(
        ClusterRole,
        object(ClusterRole, {
          aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: '{ns}' } }] },
        }),
        asEve,
      ),
    ),
    row(
      'an aggregation by who may do everything',
      ...grantedEve([star, { nonResourceURLs: ['*'], verbs: ['*'] }]),
      post(
        ClusterRole,
        object(ClusterRole, {
          aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: '{ns}' } }] },
        }),
        asEve,
      ),
    ),
    row(
      'a cluster binding to cluster-admin',
      ...grantedEve(manager),
      post(
        ClusterRoleBinding,
        object(ClusterRoleBinding, {
          roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'cluster-admin' },
        }),
        asEve,
      ),
    ),
    row(
      'a cluster binding to what is held',
      ...grantedEve(manager),
      given(ClusterRole, { rules: [held] }),
      post(
        ClusterRoleBinding,
        object(ClusterRoleBinding, {
          roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: '{ns}-a' },
        }),
        asEve,
      ),
    ),
    row(
      'a cluster binding by who may bind',
      ...grantedEve(also('clusterroles', 'bind')),
      post(
        ClusterRoleBinding,
        object(ClusterRoleBinding, {
          roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'view' },
        }),
        asEve,
      ),
    ),
  ],
};
