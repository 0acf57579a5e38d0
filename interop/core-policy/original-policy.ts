/** The roles and bindings that the original makes when it starts, without what differs from run to run. */
import type { RbacResource } from '../../packages/core-server/src/rbac/types.ts';
import { httpsRequest } from '../../test/harness/index.ts';
import type { ServerAccess } from '../stack.ts';

export interface RecordedObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
    /** Not recorded. */
    readonly resourceVersion?: string;
  };
  readonly [field: string]: unknown;
}

export type RecordedPolicy = Readonly<Record<RbacResource, readonly RecordedObject[]>>;

const SELECTOR = encodeURIComponent('kubernetes.io/bootstrapping=rbac-defaults');

export async function readOriginalPolicy(access: ServerAccess): Promise<RecordedPolicy> {
  const [clusterroles, clusterrolebindings, roles, rolebindings] = await Promise.all([
    readAll(access, 'clusterroles'),
    readAll(access, 'clusterrolebindings'),
    readAll(access, 'roles'),
    readAll(access, 'rolebindings'),
  ]);
  return { clusterroles, clusterrolebindings, roles, rolebindings };
}

async function readAll(
  { url, ca, admin }: ServerAccess,
  resource: RbacResource,
): Promise<RecordedObject[]> {
  const path = `/apis/rbac.authorization.k8s.io/v1/${resource}?labelSelector=${SELECTOR}`;
  const response = await httpsRequest(url + path, { ca, ...admin });
  if (response.status !== 200) throw new Error(`GET ${path}: ${response.status} ${response.body}`);
  const { items } = response.json() as { items: RecordedObject[] };
  return items.sort(byOrigin).map(recorded);
}

/** In the order in which they were made; which namespace comes first is chance, because Go's maps have no order. */
function byOrigin({ metadata: a }: RecordedObject, { metadata: b }: RecordedObject): number {
  const { namespace: one = '' } = a;
  const { namespace: other = '' } = b;
  if (one !== other) return one > other ? -1 : 1;
  return Number(a.resourceVersion) - Number(b.resourceVersion);
}

function recorded({ metadata, rules, ...content }: RecordedObject): RecordedObject {
  const { name, namespace, labels, annotations } = metadata;
  return {
    metadata: { name, ...(namespace !== undefined && { namespace }), labels, annotations },
    ...content,
    // Those that gather the rules of others begin with none.
    ...(rules !== null && rules !== undefined && { rules }),
  };
}
