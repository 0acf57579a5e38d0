/** Permissions with the policy of `policy-fixture.ts`, compared with kube-apiserver. */
import type { AccessInfo } from '@tributary/server';
import type { UserKey } from './policy-fixture.ts';

interface PermissionRow {
  readonly user: UserKey;
  readonly verb: string;
  /** `resource[.group][/subresource]`, or a path. */
  readonly target: string;
  /** Empty for the whole cluster. */
  readonly namespace: string;
  readonly name: string;
  /** The reason of an allowed decision, `no`, or the reason of a denial. */
  readonly want: string;
}

export function accessOf({ verb, target, namespace, name }: PermissionRow): AccessInfo {
  const selectors = { fieldSelector: '', labelSelector: '' };
  if (target.startsWith('/')) {
    const none = { group: '', version: '', namespace: '', resource: '', subresource: '', name: '' };
    return { isResourceRequest: false, verb, path: target, ...none, ...selectors };
  }
  const slash = target.indexOf('/');
  const subresource = slash === -1 ? '' : target.slice(slash + 1);
  const qualified = slash === -1 ? target : target.slice(0, slash);
  const dot = qualified.indexOf('.');
  const resource = dot === -1 ? qualified : qualified.slice(0, dot);
  const group = dot === -1 ? '' : qualified.slice(dot + 1);
  const about = { group, version: 'v1', namespace, resource, subresource, name };
  return { isResourceRequest: true, verb, path: '', ...about, ...selectors };
}

const clusterBound = (name: string, role: string, to: string): string =>
  `RBAC: allowed by ClusterRoleBinding "${name}" of ClusterRole "${role}" to ${to}`;
const bound = (name: string, role: string, to: string): string =>
  `RBAC: allowed by RoleBinding "${name}" of ${role} to ${to}`;

const reader = clusterBound('t:readers', 't:reader', 'Group "dev"');
const editorBob = bound('editors/eu', 'Role "editor"', 'User "bob"');
const editorAlice = bound('editors/eu', 'Role "editor"', 'User "alice"');
const namedBob = bound('named/eu', 'Role "named"', 'User "bob"');
const secretsEu = bound('secrets/eu', 'ClusterRole "t:secret-a"', 'ServiceAccount "robot/eu"');
const secretsUs = bound('secrets/us', 'ClusterRole "t:secret-a"', 'ServiceAccount "robot/eu"');
const urls = clusterBound('t:urls', 't:urls', 'User "urls"');
const debug = clusterBound('t:debug', 't:debug', 'User "urls"');
const allUrls = clusterBound('t:all-urls', 't:all-urls', 'User "all-urls"');
const config = clusterBound('t:wildcards', 't:config', 'User "wildcards"');
const apps = clusterBound('t:wildcards-apps', 't:apps', 'User "wildcards"');
const comma = clusterBound('t:comma', 't:config', 'Group "with,comma"');
const groupsB = clusterBound('t:groups', 't:groups', 'Group "b"');
const groupsDora = clusterBound('t:groups', 't:groups', 'User "dora"');
const anyGroup = clusterBound('t:any-group', 't:any-group', 'User "dora"');
const logs = clusterBound('t:logs', 't:logs', 'User "subresources"');
const scalers = clusterBound('t:scalers', 't:scalers', 'User "subresources"');
const builders = clusterBound('t:builders', 't:config', 'ServiceAccount "builder/ci"');
const ciApps = bound('ci/us', 'ClusterRole "t:apps"', 'Group "system:serviceaccounts:ci"');
const impersonators = clusterBound('t:impersonators', 't:impersonator', 'User "bob"');
const discovery = clusterBound(
  'system:discovery',
  'system:discovery',
  'Group "system:authenticated"',
);
const publicInfo = clusterBound(
  'system:public-info-viewer',
  'system:public-info-viewer',
  'Group "system:unauthenticated"',
);
const basicUser = clusterBound(
  'system:basic-user',
  'system:basic-user',
  'Group "system:authenticated"',
);
const namespaceController = clusterBound(
  'system:controller:namespace-controller',
  'system:controller:namespace-controller',
  'ServiceAccount "namespace-controller/kube-system"',
);
const scheduler = clusterBound(
  'system:kube-scheduler',
  'system:kube-scheduler',
  'User "system:kube-scheduler"',
);
const monitoring = clusterBound(
  'system:monitoring',
  'system:monitoring',
  'Group "system:monitoring"',
);
const issuer = clusterBound(
  'system:service-account-issuer-discovery',
  'system:service-account-issuer-discovery',
  'Group "system:serviceaccounts"',
);
const clusterAdmin = clusterBound('t:cluster-admin', 'cluster-admin', 'User "cluster-admin-user"');
const resources = clusterBound('t:resources', 't:resources', 'User "resource-admin"');
const goneCluster = 'rbac: RBAC: clusterrole.rbac.authorization.k8s.io "t:not-there" not found';
const goneBoth =
  'rbac: RBAC: [clusterrole.rbac.authorization.k8s.io "t:not-there" not found, role.rbac.authorization.k8s.io "not-there" not found]';
const goneInUs = 'rbac: RBAC: role.rbac.authorization.k8s.io "editor" not found';

/** User, verbs, targets, namespace, name, and the decision for each of their combinations. */
type Block = readonly [UserKey, string, string, string, string, string];

const blocks: readonly Block[] = [
  // Members of the privileged group need no roles.
  ['admin', 'get delete escalate', 'pods nodes secrets', 'eu', '', ''],
  ['admin', 'put', '/anything', '', '', ''],
  ['nobody', 'get list create', 'pods secrets', 'eu', '', 'no'],
  ['nobody', 'get', '/healthz /version /metrics', '', '', 'no'],

  // Groups, in every namespace and in none.
  ['alice', 'get list watch', 'pods services', '', '', reader],
  ['alice', 'list watch', 'pods', 'us', '', reader],
  ['alice', 'get', 'services', 'eu', 'a', reader],
  ['alice', 'create delete deletecollection', 'pods services', 'us', '', 'no'],
  ['alice', 'get', 'pods.apps', 'eu', '', 'no'],
  ['alice', 'get', 'pods/log pods/status', 'us', 'a', 'no'],
  ['alice', 'get', 'Pods pod', 'us', '', 'no'],
  ['alice', '* GET', 'pods', 'us', '', 'no'],

  // Bindings of a namespace apply there only.
  ['alice', 'update', 'pods pods/status', 'eu', 'a', editorAlice],
  ['alice', 'update', 'pods pods/status', 'us', 'a', 'no'],
  ['bob', 'get update', 'pods pods/status', 'eu', '', editorBob],
  ['bob', 'get update', 'pods', '', '', 'no'],
  ['bob', 'get', 'pods/log', 'eu', 'a', 'no'],
  // A Role of another namespace does not exist.
  ['bob', 'get update', 'pods', 'us', 'a', goneInUs],

  // Resource names.
  ['bob', 'get delete watch', 'configmaps', 'eu', 'one', namedBob],
  ['bob', 'get delete watch', 'configmaps', 'eu', 'two', 'no'],
  ['bob', 'get delete watch', 'configmaps', 'eu', '', 'no'],
  ['bob', 'list', 'configmaps', 'eu', 'one', 'no'],
  ['robotEu', 'get list', 'secrets', 'eu', 'a', secretsEu],
  ['robotEu', 'get', 'secrets', 'eu', 'b', secretsEu],
  ['robotEu', 'get', 'secrets', 'eu', 'c', 'no'],
  ['robotEu', 'create list deletecollection', 'secrets', 'eu', '', 'no'],
  ['bob', 'impersonate', 'users', '', 'alice', impersonators],
  ['bob', 'impersonate', 'users', '', 'carol', 'no'],
  ['bob', 'impersonate', 'users', '', '', 'no'],
  ['bob', 'impersonate', 'userextras.authentication.k8s.io/scopes', '', 'x', impersonators],
  ['bob', 'impersonate', 'userextras.authentication.k8s.io/other', '', 'x', 'no'],

  // Service accounts default to the namespace of the binding.
  ['robotEu', 'get', 'secrets', 'us', 'a', secretsUs],
  ['robotUs', 'get', 'secrets', 'us eu', 'a', 'no'],
  ['robotEu', 'get', 'secrets', '', 'a', 'no'],
  ['builder', 'get create deletecollection', 'configmaps', '', '', builders],
  ['builder', 'get', 'configmaps', 'eu', 'a', builders],
  ['builder', 'get delete', 'deployments.apps', 'us', '', ciApps],
  ['otherInCi', 'get', 'deployments.apps/scale', 'us', 'a', ciApps],
  ['otherInCi', 'get', 'deployments.apps', 'eu', '', 'no'],
  ['otherInCi', 'get', 'configmaps', 'ci', '', 'no'],
  ['otherInCi', 'get', '/openid/v1/jwks /.well-known/openid-configuration/', '', '', issuer],

  // Wildcards.
  ['wildcards', 'get frobnicate *', 'configmaps', 'eu', 'a', config],
  ['wildcards', 'get', 'configmaps/status', 'eu', 'a', 'no'],
  ['wildcards', 'get patch', 'deployments.apps deployments.apps/scale *.apps', 'eu', 'a', apps],
  ['wildcards', 'get', 'deployments.batch deployments *.*', 'eu', '', 'no'],
  ['subresources', 'get', 'pods/log nodes/log pods/exec', 'eu', 'a', logs],
  ['subresources', 'get', 'pods log', 'eu', 'a', 'no'],
  ['subresources', 'get', 'pods.apps/log', 'eu', 'a', 'no'],
  ['subresources', 'get', 'nodes/exec pods/logs', 'eu', 'a', 'no'],
  [
    'subresources',
    'update patch',
    'deployments.apps/scale widgets.example.com/scale',
    'eu',
    'a',
    scalers,
  ],
  ['subresources', 'update', 'deployments.apps scale.apps', 'eu', 'a', 'no'],
  ['dora', 'list', 'widgets widgets.example.com widgets.apps', 'eu', '', anyGroup],
  ['dora', 'list', 'gadgets.example.com', 'eu', '', 'no'],
  ['dora', 'get', 'deployments.apps jobs.batch jobs.apps deployments.batch', 'eu', '', groupsDora],
  ['dora', 'get', 'deployments jobs.example.com', 'eu', '', 'no'],

  // Several API groups; a comma does not separate groups.
  ['many', 'get', 'jobs.batch', '', '', groupsB],
  ['many', 'get list', 'configmaps', 'us', '', comma],
  ['many', 'list', 'jobs.batch', '', '', 'no'],

  // Non-resource URLs.
  ['urls', 'get', '/metrics /probe/ /probe/a /probe/a/b /logs /logs/x /logsandmore', '', '', urls],
  ['urls', 'get', '/metrics/ /metrics/cadvisor /probe /log /', '', '', 'no'],
  ['urls', 'post head', '/metrics', '', '', 'no'],
  ['urls', 'get post delete', '/debug/pprof /debug/', '', '', debug],
  ['urls', 'get', '/debug', '', '', 'no'],
  ['allUrls', 'get post', '/ /metrics /apis', '', '', allUrls],
  ['allUrls', 'delete', '/metrics', '', '', 'no'],
  ['allUrls', 'get', 'pods', 'eu', '', 'no'],
  // A RoleBinding grants no non-resource URLs.
  ['bob', 'get', '/metrics', '', '', 'no'],

  // Missing roles are named, each once.
  ['dangling', 'get', 'pods', '', '', goneCluster],
  ['dangling', 'get', 'pods', 'us', '', goneCluster],
  ['dangling', 'get', 'pods', 'eu', '', goneBoth],
  ['dangling', 'get', '/metrics', '', '', goneCluster],

  // The bootstrap policy.
  ['anonymous', 'get', '/healthz /livez /readyz /version /version/', '', '', publicInfo],
  ['anonymous', 'get', '/api /apis /openapi/v2 /metrics /healthz/etcd', '', '', 'no'],
  ['anonymous', 'list', 'namespaces', '', '', 'no'],
  ['authenticated', 'get', '/api /api/v1 /apis/apps/v1 /openapi/v3', '', '', discovery],
  ['authenticated', 'post', '/api', '', '', 'no'],
  ['authenticated', 'create', 'selfsubjectaccessreviews.authorization.k8s.io', '', '', basicUser],
  ['authenticated', 'create', 'selfsubjectreviews.authentication.k8s.io', '', '', basicUser],
  ['authenticated', 'create', 'subjectaccessreviews.authorization.k8s.io', '', '', 'no'],
  [
    'namespaceController',
    'delete deletecollection list',
    'widgets.example.com',
    'eu',
    '',
    namespaceController,
  ],
  [
    'namespaceController',
    'update',
    'namespaces/finalize namespaces/status',
    '',
    'eu',
    namespaceController,
  ],
  ['namespaceController', 'create', 'pods', 'eu', '', 'no'],
  ['scheduler', 'create', 'pods/binding bindings', 'eu', 'a', scheduler],
  ['scheduler', 'delete', 'nodes', '', 'a', 'no'],
  ['controllerManager', 'delete', 'nodes', '', 'a', 'no'],
  ['monitoring', 'get', '/metrics /metrics/slis /livez/etcd', '', '', monitoring],
  ['monitoring', 'get', 'pods', '', '', 'no'],
  ['resourceAdmin', 'delete escalate', 'nodes widgets.example.com/status', '', 'a', resources],
  ['resourceAdmin', 'get', '/metrics', '', '', 'no'],
  ['clusterAdmin', 'get delete', 'nodes', '', 'a', clusterAdmin],
  ['clusterAdmin', 'get', '/metrics', '', '', clusterAdmin],
];

export const permissionRows: readonly PermissionRow[] = blocks.flatMap(
  ([user, verbs, targets, namespaces, name, want]) =>
    verbs
      .split(' ')
      .flatMap((verb) =>
        targets
          .split(' ')
          .flatMap((target) =>
            namespaces
              .split(' ')
              .map((namespace) => ({ user, verb, target, namespace, name, want })),
          ),
      ),
);
