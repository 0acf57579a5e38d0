import { validateDnsLabelName, validateDnsSubdomainName } from '@tributary/apimachinery';
import type { UserInfo } from '../request/pipeline.ts';

const ACCOUNT_PREFIX = 'system:serviceaccount:';
const NODE_PREFIX = 'system:node:';
const NODE_NAME_KEY = 'authentication.kubernetes.io/node-name';
const AUTHENTICATED = 'system:authenticated';
const UNAUTHENTICATED = 'system:unauthenticated';

/** The service account of a username; undefined for other users. */
export function serviceAccountOf(user: string): { namespace: string; name: string } | undefined {
  if (!user.startsWith(ACCOUNT_PREFIX)) return undefined;
  const [namespace = '', name = '', ...more] = user.slice(ACCOUNT_PREFIX.length).split(':');
  if (more.length > 0 || validateDnsLabelName(namespace).length > 0) return undefined;
  return validateDnsSubdomainName(name).length > 0 ? undefined : { namespace, name };
}

/** The node of a username; undefined for other users. */
export function nodeOf(user: string): string | undefined {
  if (!user.startsWith(NODE_PREFIX)) return undefined;
  const name = user.slice(NODE_PREFIX.length);
  return validateDnsSubdomainName(name).length > 0 ? undefined : name;
}

/** The token of a service account may contain the node of its pod. */
export function runsOnNode(requestor: UserInfo, wanted: string): boolean {
  const node = nodeOf(wanted);
  if (node === undefined || serviceAccountOf(requestor.name) === undefined) return false;
  const nodes = requestor.extra[NODE_NAME_KEY] ?? [];
  return nodes.length === 1 && nodes[0] === node;
}

export function isOnlyName({ uid, groups, extra }: UserInfo): boolean {
  return uid === '' && groups.length === 0 && Object.keys(extra).length === 0;
}

/** The effective user, with the groups that all users of its type have. */
export function completeUser(wanted: UserInfo, isConstrained: boolean): UserInfo {
  const given = givenGroups(wanted, isConstrained);
  if (wanted.name === 'system:anonymous') {
    return { ...wanted, groups: including(given, UNAUTHENTICATED) };
  }
  const groups = given.includes(UNAUTHENTICATED) ? given : including(given, AUTHENTICATED);
  return { ...wanted, groups };
}

function givenGroups({ name, groups }: UserInfo, isConstrained: boolean): readonly string[] {
  if (groups.length > 0) return groups;
  const account = serviceAccountOf(name);
  if (account !== undefined) {
    return ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`];
  }
  return isConstrained && nodeOf(name) !== undefined ? ['system:nodes'] : [];
}

function including(groups: readonly string[], group: string): readonly string[] {
  return groups.includes(group) ? groups : [...groups, group];
}
