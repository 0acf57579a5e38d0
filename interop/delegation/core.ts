/** A core that extension servers delegate to, and what these tests do there as its administrator. */
import { httpsRequest, type KeyPair, type Response } from '../../test/harness/index.ts';

export interface DelegationCore {
  readonly url: string;
  /** PEM of the CA of its serving certificate. */
  readonly ca: string;
  /** In `system:masters`. */
  readonly admin: KeyPair;
  /** A token of the user `alice`, who has no permission. */
  readonly aliceToken: string;
  /** A certificate of its client CA. */
  userCertificate(name: string): Promise<KeyPair>;
  /** A certificate of its front proxy CA; it believes the name `front-proxy-client`. */
  proxyCertificate(commonName: string): Promise<KeyPair>;
}

export async function asAdmin(
  { url, ca, admin }: DelegationCore,
  method: string,
  path: string,
  body?: unknown,
): Promise<Response> {
  const response = await httpsRequest(url + path, {
    method,
    ca,
    ...admin,
    ...(body !== undefined && { body }),
  });
  if (response.status < 300) return response;
  throw new Error(`${method} ${path}: ${response.status} ${response.body}`);
}

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const SUBJECT_GROUP = 'rbac.authorization.k8s.io';

/** The permissions in the manifests of an extension server: reviews, the trust ConfigMap, watches of namespaces. */
export async function grantDelegation(core: DelegationCore, user: string): Promise<void> {
  const subjects = [{ apiGroup: SUBJECT_GROUP, kind: 'User', name: user }];
  const roleRef = (kind: string, name: string) => ({ apiGroup: SUBJECT_GROUP, kind, name });
  await asAdmin(core, 'POST', `${RBAC}/clusterrolebindings`, {
    metadata: { name: `${user}-auth-delegator` },
    subjects,
    roleRef: roleRef('ClusterRole', 'system:auth-delegator'),
  });
  await asAdmin(core, 'POST', `${RBAC}/namespaces/kube-system/rolebindings`, {
    metadata: { name: `${user}-trust` },
    subjects,
    roleRef: roleRef('Role', 'extension-apiserver-authentication-reader'),
  });
  await asAdmin(core, 'POST', `${RBAC}/clusterroles`, {
    metadata: { name: `${user}-namespaces` },
    rules: [{ apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'list', 'watch'] }],
  });
  await asAdmin(core, 'POST', `${RBAC}/clusterrolebindings`, {
    metadata: { name: `${user}-namespaces` },
    subjects,
    roleRef: roleRef('ClusterRole', `${user}-namespaces`),
  });
}

/** In one namespace, everything that has to do with flunders. */
export async function grantFlunders(
  core: DelegationCore,
  { name, namespace, subject }: { name: string; namespace: string; subject: object },
): Promise<void> {
  await asAdmin(core, 'POST', `${RBAC}/namespaces/${namespace}/roles`, {
    metadata: { name },
    rules: [{ apiGroups: ['wardle.example.com'], resources: ['flunders'], verbs: ['*'] }],
  });
  await asAdmin(core, 'POST', `${RBAC}/namespaces/${namespace}/rolebindings`, {
    metadata: { name },
    subjects: [subject],
    roleRef: { apiGroup: SUBJECT_GROUP, kind: 'Role', name },
  });
}

export async function revokeFlunders(
  core: DelegationCore,
  { name, namespace }: { name: string; namespace: string },
): Promise<void> {
  await asAdmin(core, 'DELETE', `${RBAC}/namespaces/${namespace}/rolebindings/${name}`);
}

export function user(name: string): object {
  return { apiGroup: SUBJECT_GROUP, kind: 'User', name };
}
