/** Roles, bindings and users of a cluster, which tests also create in kube-apiserver. */
import type { UserInfo } from '@tributary/server';
import { bootstrapPolicy, RBAC_RESOURCES } from '../src/rbac/bootstrap-policy.ts';
import { RbacIndex } from '../src/rbac/rbac-index.ts';
import {
  type PolicyRule,
  RBAC_API_VERSION,
  RBAC_GROUP,
  type RbacObjects,
  type RbacResource,
  type RoleBinding,
  type Subject,
} from '../src/rbac/types.ts';

export const namespaces = ['eu', 'us', 'ci'] as const;

export const users = {
  admin: person('admin', ['system:masters']),
  nobody: person('nobody'),
  anonymous: person('system:anonymous', ['system:unauthenticated']),
  authenticated: person('somebody', ['system:authenticated']),
  alice: person('alice', ['dev']),
  bob: person('bob'),
  dora: person('dora'),
  urls: person('urls'),
  allUrls: person('all-urls'),
  wildcards: person('wildcards'),
  subresources: person('subresources'),
  many: person('many', ['a', 'b', 'c', 'with,comma', 'system:authenticated']),
  dangling: person('dangling'),
  robotEu: account('eu', 'robot'),
  robotUs: account('us', 'robot'),
  builder: account('ci', 'builder'),
  otherInCi: account('ci', 'other'),
  namespaceController: account('kube-system', 'namespace-controller'),
  scheduler: person('system:kube-scheduler', ['system:authenticated']),
  controllerManager: person('system:kube-controller-manager'),
  monitoring: person('prometheus', ['system:monitoring']),
  limited: person('limited', ['rbac-writers']),
  escalator: person('escalator', ['rbac-writers']),
  namedEscalator: person('named-escalator', ['rbac-writers']),
  binder: person('binder', ['rbac-writers']),
  euBinder: person('eu-binder', ['rbac-writers']),
  resourceAdmin: person('resource-admin'),
  clusterAdmin: person('cluster-admin-user'),
  danglingWriter: person('dangling-writer', ['rbac-writers', 'second "group"']),
  euHolder: person('eu-holder', ['rbac-writers']),
} satisfies Record<string, UserInfo>;

export type UserKey = keyof typeof users;

const readVerbs = ['get', 'list', 'watch'];
const writers = ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'];

export const policy: { readonly [Resource in RbacResource]: readonly RbacObjects[Resource][] } = {
  clusterroles: [
    clusterRole('t:reader', rule(readVerbs, [''], ['pods', 'services'])),
    clusterRole('t:apps', rule(['*'], ['apps'], ['*'])),
    clusterRole('t:logs', rule(['get'], [''], ['*/log', 'pods/exec'])),
    clusterRole('t:scalers', rule(['update', 'patch'], ['*'], ['*/scale'])),
    clusterRole('t:secret-a', {
      ...rule(['get', 'list', 'create', 'deletecollection'], [''], ['secrets']),
      resourceNames: ['a', 'b'],
    }),
    clusterRole('t:config', rule(['*'], [''], ['configmaps'])),
    clusterRole('t:groups', rule(['get'], ['apps', 'batch'], ['deployments', 'jobs'])),
    clusterRole('t:any-group', rule(['list'], ['*'], ['widgets'])),
    clusterRole('t:urls', {
      verbs: ['get'],
      nonResourceURLs: ['/metrics', '/probe/*', '/logs*'],
    }),
    clusterRole('t:all-urls', { verbs: ['post', 'get'], nonResourceURLs: ['*'] }),
    clusterRole('t:debug', { verbs: ['*'], nonResourceURLs: ['/debug/*'] }),
    clusterRole(
      't:impersonator',
      { ...rule(['impersonate'], [''], ['users']), resourceNames: ['alice'] },
      rule(['impersonate'], ['authentication.k8s.io'], ['userextras/scopes']),
    ),
    clusterRole(
      't:rbac-writer',
      rule([...readVerbs, 'create', 'update', 'patch'], [RBAC_GROUP], writers),
    ),
    clusterRole('t:escalator', rule(['escalate'], [RBAC_GROUP], ['clusterroles'])),
    clusterRole('t:binder', {
      ...rule(['bind'], [RBAC_GROUP], ['clusterroles']),
      resourceNames: ['t:secret-a'],
    }),
    clusterRole('t:resources', rule(['*'], ['*'], ['*'])),
    {
      ...clusterRole('t:gatherer'),
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { 'example.com/gather': 'yes' } }] },
    },
  ],
  clusterrolebindings: [
    clusterBinding('t:readers', 't:reader', group('dev'), user('limited'), user('dangling-writer')),
    clusterBinding('t:urls', 't:urls', user('urls')),
    clusterBinding('t:all-urls', 't:all-urls', user('all-urls')),
    clusterBinding('t:debug', 't:debug', user('urls')),
    clusterBinding('t:wildcards', 't:config', user('wildcards')),
    clusterBinding('t:wildcards-apps', 't:apps', user('wildcards')),
    clusterBinding('t:groups', 't:groups', group('b'), user('dora')),
    clusterBinding('t:any-group', 't:any-group', user('dora')),
    clusterBinding('t:comma', 't:config', group('with,comma')),
    clusterBinding('t:logs', 't:logs', user('subresources')),
    clusterBinding('t:scalers', 't:scalers', user('subresources')),
    clusterBinding('t:impersonators', 't:impersonator', user('bob')),
    clusterBinding('t:builders', 't:config', serviceAccount('builder', 'ci')),
    clusterBinding('t:gone', 't:not-there', user('dangling'), user('dangling-writer')),
    clusterBinding('t:rbac-writers', 't:rbac-writer', group('rbac-writers')),
    clusterBinding('t:escalators', 't:escalator', user('escalator')),
    clusterBinding('t:binders', 't:binder', user('binder')),
    clusterBinding('t:resources', 't:resources', user('resource-admin')),
    clusterBinding('t:cluster-admin', 'cluster-admin', user('cluster-admin-user')),
  ],
  roles: [
    role('eu', 'editor', rule(['get', 'update'], [''], ['pods', 'pods/status'])),
    role('eu', 'named', {
      ...rule(['get', 'delete', 'watch'], [''], ['configmaps']),
      resourceNames: ['one'],
    }),
    role('eu', 'target', rule(['get'], [''], ['pods'])),
    role('eu', 'escalate-target', {
      ...rule(['escalate'], [RBAC_GROUP], ['roles']),
      resourceNames: ['target'],
    }),
    role('eu', 'bind-all', rule(['bind'], [RBAC_GROUP], ['clusterroles', 'roles'])),
  ],
  rolebindings: [
    binding('eu', 'editors', { kind: 'Role', name: 'editor' }, user('bob'), user('alice')),
    binding('eu', 'named', { kind: 'Role', name: 'named' }, user('bob')),
    binding('eu', 'secrets', { kind: 'ClusterRole', name: 't:secret-a' }, serviceAccount('robot')),
    binding(
      'us',
      'secrets',
      { kind: 'ClusterRole', name: 't:secret-a' },
      serviceAccount('robot', 'eu'),
    ),
    binding('us', 'urls', { kind: 'ClusterRole', name: 't:all-urls' }, user('bob')),
    binding(
      'us',
      'ci',
      { kind: 'ClusterRole', name: 't:apps' },
      group('system:serviceaccounts:ci'),
    ),
    binding('eu', 'gone', { kind: 'Role', name: 'not-there' }, user('dangling')),
    binding('eu', 'gone-twice', { kind: 'Role', name: 'not-there' }, user('dangling')),
    binding('us', 'other-namespace', { kind: 'Role', name: 'editor' }, user('bob')),
    binding('eu', 'escalators', { kind: 'Role', name: 'escalate-target' }, user('named-escalator')),
    binding('eu', 'binders', { kind: 'Role', name: 'bind-all' }, user('eu-binder')),
    binding('eu', 'holders', { kind: 'ClusterRole', name: 't:config' }, user('eu-holder')),
    binding('eu', 'existing', { kind: 'ClusterRole', name: 't:apps' }, user('carol')),
  ],
};

/** Includes the bootstrap policy. */
export function indexedPolicy(): RbacIndex {
  const index = new RbacIndex();
  const bootstrap = bootstrapPolicy();
  for (const resource of RBAC_RESOURCES) {
    for (const object of bootstrap[resource]) index.put(resource, object);
    for (const object of policy[resource]) index.put(resource, object);
  }
  return index;
}

export function person(name: string, groups: string[] = []): UserInfo {
  return { name, uid: '', groups, extra: {} };
}

export function account(namespace: string, name: string): UserInfo {
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  return person(`system:serviceaccount:${namespace}:${name}`, groups);
}

export function rule(verbs: string[], apiGroups: string[], resources: string[]): PolicyRule {
  return { verbs, apiGroups, resources };
}

export function clusterRole(name: string, ...rules: PolicyRule[]): RbacObjects['clusterroles'] {
  return { apiVersion: RBAC_API_VERSION, kind: 'ClusterRole', metadata: { name }, rules };
}

export function role(
  namespace: string,
  name: string,
  ...rules: PolicyRule[]
): RbacObjects['roles'] {
  return { apiVersion: RBAC_API_VERSION, kind: 'Role', metadata: { name, namespace }, rules };
}

export function clusterBinding(name: string, to: string, ...subjects: Subject[]): RoleBinding {
  return {
    apiVersion: RBAC_API_VERSION,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    subjects,
    roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name: to },
  };
}

export function binding(
  namespace: string,
  name: string,
  to: { readonly kind: string; readonly name: string },
  ...subjects: Subject[]
): RoleBinding {
  return {
    apiVersion: RBAC_API_VERSION,
    kind: 'RoleBinding',
    metadata: { name, namespace },
    subjects,
    roleRef: { apiGroup: RBAC_GROUP, ...to },
  };
}

export function user(name: string): Subject {
  return { kind: 'User', apiGroup: RBAC_GROUP, name };
}

export function group(name: string): Subject {
  return { kind: 'Group', apiGroup: RBAC_GROUP, name };
}

export function serviceAccount(name: string, namespace?: string): Subject {
  return { kind: 'ServiceAccount', name, ...(namespace !== undefined && { namespace }) };
}
