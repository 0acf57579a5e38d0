/** Roles and bindings as objects. Their effects are in authorization.ts. */
import type { Json, JsonObject } from '../../differential/json.ts';
import type { Row, RowGroup } from '../../differential/row.ts';
import { ClusterRole, ClusterRoleBinding, type Kind, Role, RoleBinding } from '../kinds.ts';
import { everyKind } from './every-kind.ts';
import { creates, updates } from './words.ts';

const GROUP = 'rbac.authorization.k8s.io';
const rule = (more: JsonObject = {}): JsonObject => ({
  apiGroups: [''],
  resources: ['configmaps'],
  verbs: ['get'],
  ...more,
});
const rules = (...all: JsonObject[]): JsonObject => ({ rules: all });

const roleSample = {
  minimal: {},
  changed: rules(rule()),
  merge: rules(rule({ verbs: ['list'] })),
  json: [{ op: 'add', path: '/rules/0/verbs/-', value: 'watch' }],
  strategic: rules(rule({ verbs: ['watch'] })),
  applied: rules(rule({ verbs: ['delete'] })),
  wrongTypes: {
    'with rules that are an object': { rules: {} },
    'with verbs that are a text': rules(rule({ verbs: 'get' })),
    'with null verbs': rules(rule({ verbs: null })),
  },
};
const wrongRules: Readonly<Record<string, JsonObject>> = {
  'without verbs': rules({ apiGroups: [''], resources: ['configmaps'] }),
  'without groups': rules({ resources: ['configmaps'], verbs: ['get'] }),
  'without resources': rules({ apiGroups: [''], verbs: ['get'] }),
  'with an empty rule': rules({}),
};

export const roles: RowGroup = {
  name: 'roles',
  rows: [
    ...everyKind(Role, {
      ...roleSample,
      full: rules(rule({ resourceNames: ['c'], verbs: ['get', 'update'] }), {
        apiGroups: ['*'],
        resources: ['*'],
        verbs: ['*'],
      }),
    }),
    ...creates(Role, {
      ...wrongRules,
      'with a path': rules({ nonResourceURLs: ['/healthz'], verbs: ['get'] }),
      'with a name of colons': { metadata: { name: 'system:a:b' } },
      'with a percent in its name': { metadata: { name: 'a%b' } },
    }),
  ],
};

const aggregate = (labels: JsonObject): JsonObject => ({
  aggregationRule: { clusterRoleSelectors: [{ matchLabels: labels }] },
});

export const clusterRoles: RowGroup = {
  name: 'clusterroles',
  rows: [
    ...everyKind(ClusterRole, {
      ...roleSample,
      // Without an aggregation: its rules are a controller's to write, and the original has none.
      full: rules(rule({ resourceNames: ['c'] }), {
        nonResourceURLs: ['/healthz', '/metrics/*'],
        verbs: ['get'],
      }),
    }),
    ...creates(ClusterRole, {
      ...wrongRules,
      'with a path and a resource': rules(rule({ nonResourceURLs: ['/healthz'] })),
      'with a path without a slash': rules({ nonResourceURLs: ['healthz'], verbs: ['get'] }),
      'with a path with a star inside': rules({ nonResourceURLs: ['/a/*/b'], verbs: ['get'] }),
      'with an aggregation': { ...rules(rule()), ...aggregate({ 'example.com/none': '{ns}' }) },
      'with an aggregation of nothing': { aggregationRule: {} },
      'with an aggregation by a bad label': aggregate({ 'bad label': 'x' }),
    }),
  ],
};

const ref = (more: JsonObject = {}): JsonObject => ({
  roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: 'view', ...more },
});
const user = (name = '{ns}-user'): JsonObject => ({ kind: 'User', apiGroup: GROUP, name });
const to = (...subjects: Json[]): JsonObject => ({ ...ref(), subjects });

function bindingRows(kind: Kind): Row[] {
  return [
    ...everyKind(kind, {
      minimal: ref(),
      full: to(
        user(),
        { kind: 'Group', apiGroup: GROUP, name: '{ns}-group' },
        { kind: 'ServiceAccount', name: 'a', namespace: '{ns}' },
      ),
      changed: to(user()),
      merge: { subjects: [user('{ns}-other')] },
      json: [{ op: 'remove', path: '/subjects/0' }],
      strategic: { subjects: [user('{ns}-other')] },
      applied: to(user('{ns}-applied')),
      wrongTypes: {
        'with subjects that are texts': to('alice'),
        'with a role that is a text': { roleRef: 'view' },
      },
    }),
    ...creates(kind, {
      'with the defaults of its subjects': to(
        { kind: 'User', name: '{ns}-user' },
        { kind: 'Group', name: '{ns}-group' },
        { kind: 'ServiceAccount', name: 'a', namespace: '{ns}' },
      ),
      'without the group of its role': { roleRef: { kind: 'ClusterRole', name: 'view' } },
      'without a role': {},
      'to a role without a name': ref({ name: '' }),
      'to a role of an unknown kind': ref({ kind: 'Thing' }),
      'to a role of another group': ref({ apiGroup: 'example.com' }),
      'to a role with a bad name': ref({ name: 'a/b' }),
      'with a subject of an unknown kind': to({ kind: 'Robot', name: 'r' }),
      'with a subject without a name': to({ kind: 'User', apiGroup: GROUP }),
      'with a user of another group': to({ kind: 'User', apiGroup: 'example.com', name: 'u' }),
      'with a group of another group': to({ kind: 'Group', apiGroup: 'example.com', name: 'g' }),
      'with an account of a group': to({
        kind: 'ServiceAccount',
        apiGroup: GROUP,
        name: 'a',
        namespace: '{ns}',
      }),
      'with an account without a namespace': to({ kind: 'ServiceAccount', name: 'a' }),
      'with an account with a bad name': to({
        kind: 'ServiceAccount',
        name: 'A_b',
        namespace: '{ns}',
      }),
    }),
    ...updates(kind, {
      'to another role': { from: to(user()), to: { ...to(user()), ...ref({ name: 'edit' }) } },
    }),
  ];
}

export const roleBindings: RowGroup = {
  name: 'rolebindings',
  rows: [
    ...bindingRows(RoleBinding),
    ...creates(RoleBinding, {
      'to a Role that does not exist': ref({ kind: 'Role', name: 'none' }),
    }),
  ],
};

export const clusterRoleBindings: RowGroup = {
  name: 'clusterrolebindings',
  rows: [
    ...bindingRows(ClusterRoleBinding),
    ...creates(ClusterRoleBinding, { 'to a Role': ref({ kind: 'Role', name: 'none' }) }),
  ],
};
