import type { KubeObject } from '@tributary/apimachinery';
import type { Sample } from './sample.ts';

const RBAC = 'rbac.authorization.k8s.io';
const READ = ['get', 'list', 'watch'];
/** As upstream's sample has them: after everything of Kubernetes' own. */
const GROUP_PRIORITY = 1_000;
const VERSION_PRIORITY = 15;
const SERVICE_PORT = 443;

/** Objects needed before the program starts, in the order of their creation. */
export function sampleObjects(sample: Sample): readonly KubeObject[] {
  const { service, account } = sample;
  const { name, namespace } = service;
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: account, namespace } },
    ...accessObjects(sample),
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace },
      // No selector: there are no pods, and the supervisor of the program writes the endpoint.
      spec: { ports: [{ name: 'https', port: SERVICE_PORT, protocol: 'TCP' }] },
    },
  ];
}

/** One for each version. They come last: a registration without a server is a fault. */
export function registrations(sample: Sample, caBundle: string): readonly KubeObject[] {
  return sample.versions.map((version) => registration(sample, version, caBundle));
}

/** Where the program listens; nowhere while it does not run. */
export function endpointSlice({ service }: Sample, port: number | undefined): KubeObject {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: service.name,
      namespace: service.namespace,
      labels: { 'kubernetes.io/service-name': service.name },
    },
    addressType: 'IPv4',
    endpoints:
      port === undefined ? [] : [{ addresses: ['127.0.0.1'], conditions: { ready: true } }],
    ports: port === undefined ? [] : [{ name: 'https', port, protocol: 'TCP' }],
  };
}

/** Permissions for TokenReviews and SubjectAccessReviews, and to admit writes as the core would. */
function accessObjects({ group, service, account }: Sample): KubeObject[] {
  const subjects = [{ kind: 'ServiceAccount', name: account, namespace: service.namespace }];
  const apiVersion = `${RBAC}/v1`;
  const binding = (name: string, role: string): KubeObject => ({
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
    subjects,
  });
  const own = `${group}:apiserver`;
  return [
    {
      apiVersion,
      kind: 'ClusterRole',
      metadata: { name: own },
      rules: [
        { apiGroups: [''], resources: ['namespaces'], verbs: READ },
        {
          apiGroups: ['admissionregistration.k8s.io'],
          resources: ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'],
          verbs: READ,
        },
      ],
    },
    binding(own, own),
    binding(`${group}:auth-delegator`, 'system:auth-delegator'),
    {
      apiVersion,
      kind: 'RoleBinding',
      metadata: { name: `${group}:auth-reader`, namespace: 'kube-system' },
      roleRef: { apiGroup: RBAC, kind: 'Role', name: 'extension-apiserver-authentication-reader' },
      subjects,
    },
  ];
}

function registration({ group, service }: Sample, version: string, caBundle: string): KubeObject {
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: `${version}.${group}` },
    spec: {
      group,
      version,
      groupPriorityMinimum: GROUP_PRIORITY,
      versionPriority: VERSION_PRIORITY,
      service: { ...service, port: SERVICE_PORT },
      caBundle,
    },
  };
}
