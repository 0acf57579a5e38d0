/** Requests with their expected FlowSchema, checked against kube-apiserver and against this server. */
import { httpsRequest } from '../../../test/harness/index.ts';

interface ClassificationRow {
  readonly user: string;
  readonly groups: readonly string[];
  readonly method?: string;
  readonly path: string;
  readonly schema: string;
}

const known = 'system:authenticated';
const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const pods = '/api/v1/namespaces/eu/configmaps';
const account = (namespace: string) => ({
  user: `system:serviceaccount:${namespace}:x`,
  groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, known],
});
const node = { user: 'system:node:a', groups: ['system:nodes', known] };
const mary = { user: 'mary', groups: [known] };
const scheduler = { user: 'system:kube-scheduler', groups: [known] };

export const classificationRows: readonly ClassificationRow[] = [
  { user: 'root', groups: ['system:masters', known], path: pods, schema: 'exempt' },
  { user: 'root', groups: ['system:masters', known], path: '/metrics', schema: 'exempt' },
  { ...mary, path: '/readyz', schema: 'probes' },
  { ...mary, path: '/livez/ping', schema: 'probes' },
  { ...mary, path: '/healthz', schema: 'probes' },
  { ...mary, path: '/metrics', schema: 'global-default' },
  { ...mary, path: '/apis', schema: 'global-default' },
  { ...mary, path: pods, schema: 'global-default' },
  { ...mary, path: '/api/v1/namespaces', schema: 'global-default' },
  { ...mary, path: `${pods}?watch=1&timeoutSeconds=1`, schema: 'global-default' },
  { ...mary, path: '/apis/none/v1/things', schema: 'global-default' },
  { user: 'unknown', groups: ['system:unauthenticated'], path: pods, schema: 'global-default' },
  { ...scheduler, path: leases, schema: 'kube-scheduler' },
  { ...scheduler, path: `${leases}/a`, method: 'PUT', schema: 'system-leader-election' },
  { ...scheduler, path: `${leases}/a`, method: 'DELETE', schema: 'kube-scheduler' },
  { ...scheduler, path: pods, schema: 'kube-scheduler' },
  {
    user: 'system:kube-controller-manager',
    groups: [known],
    path: pods,
    schema: 'kube-controller-manager',
  },
  { ...account('kube-system'), path: `${leases}/a`, schema: 'system-leader-election' },
  { ...account('kube-system'), path: pods, schema: 'kube-system-service-accounts' },
  { ...account('eu'), path: pods, schema: 'service-accounts' },
  { ...account('eu'), path: '/version', schema: 'service-accounts' },
  { ...node, path: pods, schema: 'system-nodes' },
  { ...node, path: '/api/v1/nodes/a/status', method: 'PATCH', schema: 'system-node-high' },
  {
    ...node,
    path: '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/a',
    schema: 'system-node-high',
  },
];

/** The name of the FlowSchema in the response headers of a row's request. */
export async function classifiedAs(
  server: {
    readonly url: string;
    readonly ca: string;
    readonly cert: string;
    readonly key: string;
  },
  { user, groups, method = 'GET', path }: ClassificationRow,
): Promise<string | undefined> {
  const { url, ...credentials } = server;
  const response = await httpsRequest(url + path, {
    ...credentials,
    method,
    headers: { 'impersonate-user': user, 'impersonate-group': groups },
    ...(method === 'PUT' || method === 'PATCH' ? { body: {} } : {}),
  });
  const uid = response.headers['x-kubernetes-pf-flowschema-uid'];
  const list = await httpsRequest(
    `${url}/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas`,
    credentials,
  );
  const { items } = list.json() as { items: { metadata: { name: string; uid: string } }[] };
  return items.find(({ metadata }) => metadata.uid === uid)?.metadata.name;
}
