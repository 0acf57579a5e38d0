import type { KubeObject } from '@tributary/apimachinery';
import type { Installation } from './bootstrap-options.ts';
import { accountOf, manifest } from './manifest.ts';

export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

export const READ = ['get', 'list', 'watch'];
const RBAC_VERSION = 'rbac.authorization.k8s.io/v1';

/** Resources that an extension API server watches to admit writes like the core server, and for fair queuing. */
export const admissionRules: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['namespaces'], verbs: READ },
  {
    apiGroups: ['admissionregistration.k8s.io'],
    resources: [
      'mutatingadmissionpolicies',
      'mutatingadmissionpolicybindings',
      'mutatingwebhookconfigurations',
      'validatingadmissionpolicies',
      'validatingadmissionpolicybindings',
      'validatingwebhookconfigurations',
    ],
    verbs: READ,
  },
  {
    apiGroups: ['flowcontrol.apiserver.k8s.io'],
    resources: ['flowschemas', 'prioritylevelconfigurations'],
    verbs: READ,
  },
];

/**
 * Permissions of the server's service account: to review tokens and access, to read the trusted CAs, and its own rules.
 * It cannot write APIServices or roles, so control of the server is not control of the cluster.
 */
export function accountManifests(
  installation: Installation,
  rules: readonly PolicyRule[],
): KubeObject[] {
  const { owner } = installation;
  const own = `${owner}:apiserver`;
  return [
    clusterRole(installation, { name: own, rules }),
    clusterRoleBinding(installation, { name: own, role: own }),
    clusterRoleBinding(installation, {
      name: `${owner}:auth-delegator`,
      role: 'system:auth-delegator',
    }),
    manifest(
      installation,
      {
        apiVersion: RBAC_VERSION,
        kind: 'RoleBinding',
        name: `${owner}:auth-reader`,
        namespace: 'kube-system',
      },
      {
        roleRef: roleRef('Role', 'extension-apiserver-authentication-reader'),
        subjects: [accountOf(installation)],
      },
    ),
  ];
}

export function clusterRole(
  installation: Installation,
  input: {
    readonly name: string;
    readonly rules: readonly PolicyRule[];
    readonly labels?: Record<string, string>;
  },
): KubeObject {
  const { name, rules, labels } = input;
  return manifest(
    installation,
    { apiVersion: RBAC_VERSION, kind: 'ClusterRole', name, ...(labels && { labels }) },
    { rules },
  );
}

function clusterRoleBinding(
  installation: Installation,
  { name, role }: { readonly name: string; readonly role: string },
): KubeObject {
  return manifest(
    installation,
    { apiVersion: RBAC_VERSION, kind: 'ClusterRoleBinding', name },
    { roleRef: roleRef('ClusterRole', role), subjects: [accountOf(installation)] },
  );
}

function roleRef(kind: 'Role' | 'ClusterRole', name: string) {
  return { apiGroup: 'rbac.authorization.k8s.io', kind, name };
}
