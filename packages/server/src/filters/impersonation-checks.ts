import {
  aggregateText,
  dns1123SubdomainErrors,
  type FieldError,
  fieldError,
  goQuote,
  regexError,
  root,
  type StatusError,
} from '@tributary/apimachinery';
import {
  type AccessInfo,
  type AccessRequest,
  type Authorizer,
  accessDenied,
} from '../request/authorizer.ts';
import type { UserInfo } from '../request/pipeline.ts';

import { nodeOf, serviceAccountOf } from './impersonation-users.ts';

/** From this number of items on, a permission for all of them is checked first. */
const MANY = 4;
const AUTHENTICATION_GROUP = 'authentication.k8s.io';

interface IdentityChecks {
  readonly authorize: Authorizer;
  readonly verb: string;
  /** The legacy mode checks other API groups, and allows more. */
  readonly isConstrained: boolean;
  /** Replaces the names of nodes in checks. */
  readonly nodeName?: string;
}

/** The user of the request and its cancellation. */
export type Asking = Pick<AccessRequest, 'user' | 'cancellation'>;

/** The reason why the user may not do something; undefined when it is allowed. An unavailable authorizer denies. */
export async function refusal(
  authorize: Authorizer,
  access: AccessRequest,
): Promise<StatusError | undefined> {
  try {
    const decision = await authorize(access);
    return decision.allowed ? undefined : accessDenied(access, decision.reason);
  } catch (error) {
    return accessDenied(access, error instanceof Error ? error.message : String(error));
  }
}

/** Checks the permission to impersonate each part of an identity. */
export async function identityRefusal(
  checks: IdentityChecks,
  wanted: UserInfo,
  asking: Asking,
): Promise<StatusError | undefined> {
  return (
    (await refusal(checks.authorize, access(asking, nameInfo(checks, wanted.name)))) ??
    (await uidRefusal(checks, wanted.uid, asking)) ??
    (await groupsRefusal(checks, wanted.groups, asking)) ??
    (await extraRefusal(checks, wanted.extra, asking))
  );
}

function nameInfo(checks: IdentityChecks, name: string): AccessInfo {
  const account = serviceAccountOf(name);
  if (account !== undefined) {
    return { ...infoOf(checks, 'serviceaccounts', account.name), namespace: account.namespace };
  }
  const node = checks.isConstrained ? nodeOf(name) : undefined;
  if (node === undefined) return infoOf(checks, 'users', name);
  return infoOf(checks, 'nodes', checks.nodeName ?? node);
}

async function uidRefusal(checks: IdentityChecks, uid: string, asking: Asking) {
  if (uid === '') return undefined;
  const info = { ...infoOf(checks, 'uids', uid), group: AUTHENTICATION_GROUP };
  return refusal(checks.authorize, access(asking, info));
}

async function groupsRefusal(checks: IdentityChecks, groups: readonly string[], asking: Asking) {
  const named = (name: string) => access(asking, infoOf(checks, 'groups', name));
  if (checks.isConstrained) {
    if (groups.includes('')) {
      return accessDenied(named(''), 'impersonating the empty string group is not allowed');
    }
    if (groups.includes('system:masters')) {
      return accessDenied(
        named('system:masters'),
        'impersonating the system:masters group is not allowed',
      );
    }
    if (groups.length >= MANY && !(await refusal(checks.authorize, named('*')))) return undefined;
  }
  for (const group of groups) {
    const refused = await refusal(checks.authorize, named(group));
    if (refused !== undefined) return refused;
  }
  return undefined;
}

async function extraRefusal(checks: IdentityChecks, extra: UserInfo['extra'], asking: Asking) {
  const items = Object.keys(extra).flatMap((key) =>
    (extra[key] ?? []).map((value) => [key, value] as const),
  );
  if (items.length === 0) return undefined;
  const of = (subresource: string, name: string): AccessRequest => {
    const info = infoOf(checks, 'userextras', name);
    return access(asking, { ...info, group: AUTHENTICATION_GROUP, subresource });
  };
  if (checks.isConstrained) {
    const wrong = extraProblem(extra);
    if (wrong !== undefined) return accessDenied(of('', ''), wrong);
    if (items.length >= MANY && !(await refusal(checks.authorize, of('*', '*')))) return undefined;
  }
  for (const [key, value] of items) {
    const refused = await refusal(checks.authorize, of(key, value));
    if (refused !== undefined) return refused;
  }
  return undefined;
}

function extraProblem(extra: UserInfo['extra']): string | undefined {
  for (const key of Object.keys(extra)) {
    if (key === '') return 'impersonating the empty string key in extra is not allowed';
    const errors = keyErrors(key);
    if (errors.length > 0) {
      return `impersonating an invalid key in extra is not allowed: ${aggregateText(errors)}`;
    }
    if (key !== key.toLowerCase()) {
      return `impersonating a non-lowercase key in extra is not allowed: ${goQuote(key)}`;
    }
    if (extra[key]?.includes('')) {
      return 'impersonating the empty string value in extra is not allowed';
    }
  }
  return undefined;
}

const PATH_FORMAT = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const PATH = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;

/** Keys are qualified: `acme.io/foo`. */
function keyErrors(key: string): FieldError[] {
  const at = root('extra').child('key');
  const slash = key.indexOf('/');
  const [host, path] = [key.slice(0, slash), key.slice(slash + 1)];
  if (slash < 1 || path === '') {
    const detail = 'must be a domain-prefixed path (such as "acme.io/foo")';
    return [fieldError.invalid(at, key, detail)];
  }
  const errors = dns1123SubdomainErrors(host).map((why) => fieldError.invalid(at, host, why));
  if (PATH.test(path)) return errors;
  return [...errors, fieldError.invalid(at, path, regexError('Invalid path', PATH_FORMAT))];
}

function access({ user, cancellation }: Asking, info: AccessInfo): AccessRequest {
  return { user, info, ...(cancellation && { cancellation }) };
}

function infoOf({ verb, isConstrained }: IdentityChecks, resource: string, name: string) {
  const group = isConstrained ? AUTHENTICATION_GROUP : '';
  const nothing = {
    path: '',
    namespace: '',
    subresource: '',
    fieldSelector: '',
    labelSelector: '',
  };
  return { isResourceRequest: true, verb, group, version: 'v1', resource, name, ...nothing };
}
