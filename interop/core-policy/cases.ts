/** Writes of roles and bindings that the original accepts or refuses: escalation, and what is valid. */
import type { RbacResource } from '../../packages/core-server/src/rbac/types.ts';
import {
  binding,
  clusterBinding,
  clusterRole,
  group,
  role,
  rule,
  serviceAccount,
  type UserKey,
  user,
} from '../../packages/core-server/test/policy-fixture.ts';

export interface PolicyCase {
  readonly name: string;
  readonly as: UserKey;
  readonly resource: RbacResource;
  /** Absent for cluster-scoped kinds. */
  readonly namespace?: string;
  /** A new object, or a merge patch of an object of the fixture. */
  readonly write: { readonly create: object } | { readonly patch: object; readonly of: string };
}

const wrong = (fields: object): object => ({ ...clusterRole('new'), ...fields });
const toRole = { kind: 'Role', name: 'editor' };
const toClusterRole = { kind: 'ClusterRole', name: 't:reader' };
const clusterBindingWith = (fields: object): object => ({
  ...clusterBinding('new', 't:reader', user('u')),
  ...fields,
});
const bindingWith = (fields: object): object => ({
  ...binding('eu', 'new', toRole, user('u')),
  ...fields,
});
const selectors = (...terms: object[]): object =>
  wrong({ aggregationRule: { clusterRoleSelectors: terms } });
const everything = [rule(['*'], ['*'], ['*']), { verbs: ['*'], nonResourceURLs: ['*'] }];

/** User, name, resource, namespace, write. */
type Line = readonly [UserKey, string, RbacResource, string, PolicyCase['write']];

const escalation: readonly Line[] = [
  [
    'limited',
    'a role within what is held',
    'clusterroles',
    '',
    { create: clusterRole('new', rule(['get', 'watch'], [''], ['pods'])) },
  ],
  ['limited', 'an empty role', 'clusterroles', '', { create: clusterRole('new') }],
  [
    'limited',
    'a verb more',
    'clusterroles',
    '',
    { create: clusterRole('new', rule(['get', 'delete'], [''], ['pods'])) },
  ],
  [
    'limited',
    'verbs of one resource together, resources sorted',
    'clusterroles',
    '',
    {
      create: clusterRole(
        'new',
        rule(['update', 'create', 'get'], ['apps', ''], ['pods', 'deployments']),
      ),
    },
  ],
  [
    'limited',
    'names, paths and wildcards',
    'clusterroles',
    '',
    {
      create: clusterRole(
        'new',
        { ...rule(['get', 'delete'], [''], ['secrets']), resourceNames: ['b', 'a'] },
        { verbs: ['get', 'post'], nonResourceURLs: ['/x', '/a*'] },
        rule(['*'], ['*'], ['*/scale']),
      ),
    },
  ],
  [
    'limited',
    'a name of what is held whole',
    'clusterroles',
    '',
    { create: clusterRole('new', { ...rule(['get'], [''], ['pods']), resourceNames: ['a'] }) },
  ],
  [
    'limited',
    'a subresource of what is held',
    'clusterroles',
    '',
    { create: clusterRole('new', rule(['get'], [''], ['pods/log'])) },
  ],
  [
    'limited',
    'all verbs of what is held in part',
    'roles',
    'eu',
    { create: role('eu', 'new', rule(['*'], [''], ['pods'])) },
  ],
  [
    'limited',
    'the same twice',
    'roles',
    'eu',
    {
      create: role('eu', 'new', rule(['delete'], [''], ['pods']), rule(['delete'], [''], ['pods'])),
    },
  ],
  [
    'limited',
    'odd characters',
    'roles',
    'eu',
    { create: role('eu', 'new', rule(['a"b', 'ü\n'], ['\\'], ['x'])) },
  ],
  [
    'euHolder',
    'what is held in this namespace',
    'roles',
    'eu',
    { create: role('eu', 'new', rule(['delete'], [''], ['configmaps'])) },
  ],
  [
    'euHolder',
    'what is held in another namespace',
    'roles',
    'us',
    { create: role('us', 'new', rule(['delete'], [''], ['configmaps'])) },
  ],
  [
    'euHolder',
    'what is held in a namespace, for the cluster',
    'clusterroles',
    '',
    { create: clusterRole('new', rule(['delete'], [''], ['configmaps'])) },
  ],
  [
    'danglingWriter',
    'roles that are gone are told',
    'clusterroles',
    '',
    { create: clusterRole('new', rule(['delete'], [''], ['pods'])) },
  ],
  [
    'danglingWriter',
    'roles that are gone, in a namespace',
    'roles',
    'eu',
    { create: role('eu', 'new', rule(['delete'], [''], ['pods'])) },
  ],
  [
    'escalator',
    'escalate allows it',
    'clusterroles',
    '',
    { create: clusterRole('new', ...everything) },
  ],
  [
    'escalator',
    'escalate of the other kind',
    'roles',
    'eu',
    { create: role('eu', 'new', rule(['delete'], [''], ['pods'])) },
  ],
  [
    'namedEscalator',
    'escalate by name: an update',
    'roles',
    'eu',
    { patch: { rules: everything.slice(0, 1) }, of: 'target' },
  ],
  [
    'namedEscalator',
    'escalate by name: another',
    'roles',
    'eu',
    { patch: { rules: everything.slice(0, 1) }, of: 'editor' },
  ],
  [
    'namedEscalator',
    'escalate by name: a create has none',
    'roles',
    'eu',
    { create: role('eu', 'target', ...everything.slice(0, 1)) },
  ],
  [
    'clusterAdmin',
    'a cluster admin without the group',
    'clusterroles',
    '',
    { create: clusterRole('new', ...everything) },
  ],
  [
    'clusterAdmin',
    'a cluster admin may aggregate',
    'clusterroles',
    '',
    { create: selectors({ matchLabels: { a: 'b' } }) },
  ],
  [
    'resourceAdmin',
    'everything but paths',
    'clusterroles',
    '',
    { create: clusterRole('new', ...everything) },
  ],
  [
    'limited',
    'aggregation',
    'clusterroles',
    '',
    { create: selectors({ matchLabels: { a: 'b' } }) },
  ],
  [
    'limited',
    'aggregation, and rules not held',
    'clusterroles',
    '',
    { create: { ...(selectors({}) as object), rules: [rule(['delete'], [''], ['pods'])] } },
  ],
  [
    'limited',
    'a change of one that aggregates',
    'clusterroles',
    '',
    { patch: { metadata: { labels: { a: 'b' } } }, of: 't:gatherer' },
  ],
  [
    'limited',
    'the end of aggregation',
    'clusterroles',
    '',
    { patch: { aggregationRule: null }, of: 't:gatherer' },
  ],
  [
    'limited',
    'finalizers of one that aggregates',
    'clusterroles',
    '',
    { patch: { metadata: { finalizers: ['example.com/x'] } }, of: 't:gatherer' },
  ],
  [
    'limited',
    'owners of a role not held',
    'clusterroles',
    '',
    {
      patch: {
        metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'b' }] },
      },
      of: 't:apps',
    },
  ],
  [
    'limited',
    'a label of a role not held',
    'clusterroles',
    '',
    { patch: { metadata: { labels: { a: 'b' } } }, of: 't:apps' },
  ],
  ['limited', 'no change at all', 'clusterroles', '', { patch: {}, of: 't:apps' }],
  [
    'limited',
    'fewer rules, all held',
    'clusterroles',
    '',
    { patch: { rules: [rule(['get'], [''], ['pods'])] }, of: 't:apps' },
  ],

  [
    'limited',
    'a binding of what is held',
    'clusterrolebindings',
    '',
    { create: clusterBinding('new', 't:reader', user('u')) },
  ],
  [
    'limited',
    'a binding of what is not held',
    'clusterrolebindings',
    '',
    { create: clusterBinding('new', 't:secret-a', user('u')) },
  ],
  [
    'limited',
    'a binding of what is not held, in a namespace',
    'rolebindings',
    'eu',
    { create: binding('eu', 'new', { kind: 'ClusterRole', name: 't:apps' }, user('u')) },
  ],
  [
    'limited',
    'a binding of a Role',
    'rolebindings',
    'eu',
    { create: binding('eu', 'new', { kind: 'Role', name: 'named' }, user('u')) },
  ],
  [
    'limited',
    'a binding of a Role that is held',
    'rolebindings',
    'eu',
    { create: binding('eu', 'new', { kind: 'Role', name: 'target' }, user('u')) },
  ],
  [
    'limited',
    'a binding of no ClusterRole',
    'clusterrolebindings',
    '',
    { create: clusterBinding('new', 'absent', user('u')) },
  ],
  [
    'limited',
    'a binding of no Role',
    'rolebindings',
    'us',
    { create: binding('us', 'new', toRole, user('u')) },
  ],
  [
    'limited',
    'a binding of another kind',
    'rolebindings',
    'eu',
    { create: binding('eu', 'new', { kind: 'Thing', name: 'x' }, user('u')) },
  ],
  [
    'limited',
    'a binding without a role',
    'rolebindings',
    'eu',
    { create: bindingWith({ roleRef: {} }) },
  ],
  [
    'limited',
    'a binding in another group',
    'rolebindings',
    'eu',
    { create: bindingWith({ roleRef: { ...toClusterRole, apiGroup: 'example.com' } }) },
  ],
  [
    'binder',
    'bind by name',
    'clusterrolebindings',
    '',
    { create: clusterBinding('new', 't:secret-a', user('u')) },
  ],
  [
    'binder',
    'bind by name, in a namespace',
    'rolebindings',
    'us',
    { create: binding('us', 'new', { kind: 'ClusterRole', name: 't:secret-a' }, user('u')) },
  ],
  [
    'binder',
    'bind by another name',
    'clusterrolebindings',
    '',
    { create: clusterBinding('new', 't:apps', user('u')) },
  ],
  [
    'euBinder',
    'bind in a namespace',
    'rolebindings',
    'eu',
    { create: binding('eu', 'new', { kind: 'ClusterRole', name: 'cluster-admin' }, user('u')) },
  ],
  [
    'euBinder',
    'bind of what is not there',
    'rolebindings',
    'eu',
    { create: binding('eu', 'new', { kind: 'ClusterRole', name: 'absent' }, user('u')) },
  ],
  [
    'euBinder',
    'bind in another namespace',
    'rolebindings',
    'us',
    { create: binding('us', 'new', { kind: 'ClusterRole', name: 't:apps' }, user('u')) },
  ],
  [
    'euBinder',
    'bind in the cluster',
    'clusterrolebindings',
    '',
    { create: clusterBinding('new', 't:apps', user('u')) },
  ],
  [
    'limited',
    'a subject more',
    'rolebindings',
    'eu',
    { patch: { subjects: [user('u'), user('carol')] }, of: 'existing' },
  ],
  ['limited', 'a subject less', 'rolebindings', 'eu', { patch: { subjects: [] }, of: 'existing' }],
  [
    'limited',
    'finalizers of a binding',
    'rolebindings',
    'eu',
    { patch: { metadata: { finalizers: ['example.com/x'] } }, of: 'existing' },
  ],
  [
    'danglingWriter',
    'a binding of somebody with roles that are gone',
    'clusterrolebindings',
    '',
    { create: clusterBinding('new', 't:apps', user('u')) },
  ],
];

const validity: readonly Line[] = [
  ['admin', 'a rule without anything', 'clusterroles', '', { create: wrong({ rules: [{}] }) }],
  [
    'admin',
    'a rule without groups',
    'clusterroles',
    '',
    { create: wrong({ rules: [{ verbs: ['get'], resources: ['x'] }] }) },
  ],
  [
    'admin',
    'a rule without resources',
    'roles',
    'eu',
    { create: { ...role('eu', 'new'), rules: [{ verbs: ['get'], apiGroups: ['', 'x'] }] } },
  ],
  [
    'admin',
    'paths and resources in one rule',
    'clusterroles',
    '',
    {
      create: wrong({
        rules: [
          rule(['get'], [''], ['a']),
          { verbs: [], nonResourceURLs: ['/a', '/<b>'], resourceNames: ['x'] },
        ],
      }),
    },
  ],
  [
    'admin',
    'paths in a namespace',
    'roles',
    'eu',
    { create: role('eu', 'new', { verbs: ['get'], nonResourceURLs: ['/a'], resources: ['x'] }) },
  ],
  ['admin', 'null rules', 'clusterroles', '', { create: wrong({ rules: null }) }],
  ['admin', 'no selectors', 'clusterroles', '', { create: wrong({ aggregationRule: {} }) }],
  ['admin', 'a selector of everything', 'clusterroles', '', { create: selectors({}) }],
  [
    'admin',
    'labels that are none',
    'clusterroles',
    '',
    { create: selectors({ matchLabels: { 'a b': 'c d' } }) },
  ],
  [
    'admin',
    'operators',
    'clusterroles',
    '',
    {
      create: selectors({
        matchExpressions: [
          { key: 'a', operator: 'In' },
          { key: 'a', operator: 'Exists', values: ['x'] },
          { key: 'a', operator: 'Like', values: ['x y'] },
          { key: '', operator: 'NotIn', values: ['ok', '-'] },
          { key: 'a', operator: 'DoesNotExist' },
        ],
      }),
    },
  ],
  [
    'admin',
    'good selectors',
    'clusterroles',
    '',
    {
      create: selectors({ matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['x', ''] }] }),
    },
  ],
  [
    'admin',
    'an update with a bad rule',
    'clusterroles',
    '',
    { patch: { rules: [{ verbs: ['get'] }] }, of: 't:apps' },
  ],

  [
    'admin',
    'a binding of a Role in the cluster',
    'clusterrolebindings',
    '',
    { create: clusterBindingWith({ roleRef: { kind: 'Role', name: 'x' } }) },
  ],
  [
    'admin',
    'no reference',
    'clusterrolebindings',
    '',
    { create: clusterBindingWith({ roleRef: {} }) },
  ],
  [
    'admin',
    'a reference to another group',
    'rolebindings',
    'eu',
    { create: bindingWith({ roleRef: { apiGroup: 'example.com', kind: 'Thing', name: 'a/b%' } }) },
  ],
  [
    'admin',
    'a reference to dots',
    'rolebindings',
    'eu',
    { create: bindingWith({ roleRef: { kind: 'Role', name: '..' } }) },
  ],
  [
    'admin',
    'groups that are left out',
    'rolebindings',
    'eu',
    {
      create: bindingWith({
        roleRef: toRole,
        subjects: [
          { kind: 'User', name: 'a' },
          { kind: 'Group', name: 'b' },
          { kind: 'ServiceAccount', name: 'c' },
        ],
      }),
    },
  ],
  [
    'admin',
    'subjects of no kind',
    'rolebindings',
    'eu',
    { create: bindingWith({ subjects: [{}, { kind: 'Robot', name: 'x' }] }) },
  ],
  [
    'admin',
    'subjects without names',
    'clusterrolebindings',
    '',
    {
      create: clusterBindingWith({
        subjects: [{ kind: 'User' }, { kind: 'Group' }, { kind: 'ServiceAccount' }],
      }),
    },
  ],
  [
    'admin',
    'subjects in other groups',
    'clusterrolebindings',
    '',
    {
      create: clusterBindingWith({
        subjects: [
          { ...user('a'), apiGroup: 'x' },
          { ...group('a'), apiGroup: 'v1' },
          { ...serviceAccount('a', 'b'), apiGroup: 'rbac.authorization.k8s.io' },
        ],
      }),
    },
  ],
  [
    'admin',
    'service accounts',
    'clusterrolebindings',
    '',
    {
      create: clusterBindingWith({
        subjects: [serviceAccount('A_b', 'x'), serviceAccount('ok'), serviceAccount('ok', 'NOT')],
      }),
    },
  ],
  [
    'admin',
    'service accounts in a namespace',
    'rolebindings',
    'eu',
    { create: bindingWith({ subjects: [serviceAccount('A_b'), serviceAccount('ok')] }) },
  ],
  ['admin', 'no subjects', 'rolebindings', 'eu', { create: bindingWith({ subjects: null }) }],
  [
    'admin',
    'another role',
    'rolebindings',
    'eu',
    { patch: { roleRef: { kind: 'Role', name: 'other<' } }, of: 'existing' },
  ],
  [
    'admin',
    'another role and a bad subject',
    'clusterrolebindings',
    '',
    { patch: { roleRef: { name: 'other' }, subjects: [{ kind: 'X', name: 'x' }] }, of: 't:urls' },
  ],
  [
    'admin',
    'a role of another kind',
    'clusterrolebindings',
    '',
    { patch: { roleRef: { kind: 'Role' } }, of: 't:urls' },
  ],
];

export const policyCases: readonly PolicyCase[] = [...escalation, ...validity].map(
  ([as, name, resource, namespace, write]) => ({
    name: `${resource}: ${name} (${as})`,
    as,
    resource,
    ...(namespace !== '' && { namespace }),
    write,
  }),
);
