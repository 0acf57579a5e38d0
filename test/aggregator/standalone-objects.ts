/** A user with one Role in one namespace of a cluster, and registrations by URL. */
import { eventually, type TestScope, writeKubeconfig } from '../harness/index.ts';
import { type Gateway, must, type Program } from './gateway-program.ts';
import { APISERVICES } from './registration-objects.ts';

export const NAMESPACE = 'team';
export const USER = `system:serviceaccount:${NAMESPACE}:dev`;
const RBAC = 'rbac.authorization.k8s.io';

export interface ClusterUser {
  readonly token: string;
  readonly kubeconfig: string;
}

/** May do everything with these, in the one namespace, and nothing else anywhere. */
export async function createUser(
  scope: TestScope,
  cluster: Pick<Gateway, 'url' | 'credentials' | 'send'>,
  resources: Readonly<Record<string, readonly string[]>>,
): Promise<ClusterUser> {
  const { send, url: server, credentials } = cluster;
  await must(send('POST', '/api/v1/namespaces', { metadata: { name: NAMESPACE } }));
  const within = `/api/v1/namespaces/${NAMESPACE}`;
  await must(send('POST', `${within}/serviceaccounts`, { metadata: { name: 'dev' } }));
  const roles = `/apis/${RBAC}/v1/namespaces/${NAMESPACE}`;
  const rules = Object.entries(resources).map(([group, names]) => ({
    apiGroups: [group],
    resources: names,
    verbs: ['*'],
  }));
  await must(send('POST', `${roles}/roles`, { metadata: { name: 'dev' }, rules }));
  await must(
    send('POST', `${roles}/rolebindings`, {
      metadata: { name: 'dev' },
      roleRef: { apiGroup: RBAC, kind: 'Role', name: 'dev' },
      subjects: [{ kind: 'ServiceAccount', name: 'dev', namespace: NAMESPACE }],
    }),
  );
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const { status } = (await must(send('POST', `${within}/serviceaccounts/dev/token`, request))) as {
    readonly status: { readonly token: string };
  };
  const user = { token: status.token };
  const namespace = NAMESPACE;
  const kubeconfig = await writeKubeconfig(scope, { server, ca: credentials.ca, user, namespace });
  return { token: status.token, kubeconfig };
}

export function urlService(
  { group, version }: { readonly group: string; readonly version: string },
  { url, ca }: { readonly url: string; readonly ca: string },
  annotations: Readonly<Record<string, string>> = {},
): object {
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: {
      name: `${version}.${group}`,
      annotations: { 'aggregation.tributary.dev/url': url, ...annotations },
    },
    spec: {
      group,
      version,
      groupPriorityMinimum: 2000,
      versionPriority: 200,
      service: { namespace: 'nowhere', name: 'api' },
      caBundle: Buffer.from(ca).toString('base64'),
    },
  };
}

/** Behind the cluster's own aggregator, as every cluster can have it: by the name that a service stands for. */
export async function registerByName(
  cluster: Program,
  group: string,
  { url, ca }: { readonly url: string; readonly ca: string },
): Promise<void> {
  const { send } = cluster;
  await must(
    send('POST', `/api/v1/namespaces/${NAMESPACE}/services`, {
      metadata: { name: 'echo' },
      spec: { type: 'ExternalName', externalName: 'localhost' },
    }),
  );
  const spec = {
    group,
    version: 'v1',
    groupPriorityMinimum: 1000,
    versionPriority: 15,
    service: { namespace: NAMESPACE, name: 'echo', port: Number(new URL(url).port) },
    caBundle: Buffer.from(ca).toString('base64'),
  };
  await must(send('POST', APISERVICES, { metadata: { name: `v1.${group}` }, spec }));
  // Its list comes through the aggregator once that has found it well, and soon after in all lists.
  const isServed = async () => (await send('GET', `/apis/${group}/v1`)).status === 200;
  await eventually(`${group} is served`, isServed);
  // The condition is written later than the first request passes.
  await untilCondition(cluster, `v1.${group}`, ({ status }) => status === 'True');
}

export interface Condition {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** The condition of an APIService, once it is such. */
export async function untilCondition(
  program: Program,
  name: string,
  isWanted: (condition: Condition) => boolean,
): Promise<Condition> {
  let last: Condition | undefined;
  return eventually(
    () => `${name} stays ${JSON.stringify(last)}`,
    async () => {
      const { body } = await program.send('GET', `${APISERVICES}/${name}`);
      const { status } = body as { readonly status?: { readonly conditions?: Condition[] } };
      last = status?.conditions?.[0] ?? { status: '', reason: '', message: '' };
      return isWanted(last) && last;
    },
  );
}

export const isAvailable = ({ status }: Condition): boolean => status === 'True';
