import {
  type ObjectMeta,
  validateDnsLabelName,
  validateDnsSubdomainName,
} from '@tributary/apimachinery';
import type { UserInfo } from '@tributary/server';

const PREFIX = 'system:serviceaccount:';
const EXTRA = 'authentication.kubernetes.io';
export const credentialIdKey = `${EXTRA}/credential-id`;

/** The service account of a token, with the pod and node it is bound to. */
export interface AccountIdentity {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly pod?: ObjectReference;
  readonly node?: ObjectReference;
  /** The ID of the token. */
  readonly jti?: string;
}

export interface ObjectReference {
  readonly name: string;
  readonly uid: string;
}

export function accountUserName(namespace: string, name: string): string {
  return `${PREFIX}${namespace}:${name}`;
}

/** The service account with this user name; undefined for other users. */
export function splitAccountUserName(
  user: string,
): Required<Pick<ObjectMeta, 'name' | 'namespace'>> | undefined {
  if (!user.startsWith(PREFIX)) return undefined;
  const [namespace = '', name = '', ...more] = user.slice(PREFIX.length).split(':');
  if (more.length > 0 || validateDnsLabelName(namespace).length > 0) return undefined;
  return validateDnsSubdomainName(name).length > 0 ? undefined : { namespace, name };
}

export function accountUser({ namespace, name, uid, ...more }: AccountIdentity): UserInfo {
  return {
    name: accountUserName(namespace, name),
    uid,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
    extra: extraOf(more),
  };
}

function extraOf({ pod, node, jti }: Pick<AccountIdentity, 'pod' | 'node' | 'jti'>) {
  const extra: Record<string, string[]> = {};
  if (pod?.name && pod.uid) {
    extra[`${EXTRA}/pod-name`] = [pod.name];
    extra[`${EXTRA}/pod-uid`] = [pod.uid];
  }
  if (jti) extra[credentialIdKey] = [`JTI=${jti}`];
  if (node?.name) {
    extra[`${EXTRA}/node-name`] = [node.name];
    if (node.uid) extra[`${EXTRA}/node-uid`] = [node.uid];
  }
  return extra;
}
