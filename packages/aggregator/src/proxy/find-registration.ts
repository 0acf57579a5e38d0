import { badRequest } from '@tributary/apimachinery';
import type { ApiRequest } from '@tributary/server';
import { isRemote, type RemoteRegistration } from '../api-services/registration.ts';
import { REGISTRATION_GROUP } from '../api-services/resources.ts';
import type { RegistrationSnapshot } from '../registrations/registrations.ts';

const GROUPS = '/apis/';
/** A remote registry of APIServices would lock all users out; upstream's router has the same exception. */
const NEVER_REMOTE = REGISTRATION_GROUP;

/** The registration of a path, when a backend serves it. The path is the decoded one that was authorized. */
export function registrationOf(
  { byGroupVersion }: Pick<RegistrationSnapshot, 'byGroupVersion'>,
  path: string,
): RemoteRegistration | undefined {
  const found = path.startsWith(GROUPS) ? named(path, byGroupVersion) : core(path, byGroupVersion);
  return found !== undefined && isRemote(found) ? found : undefined;
}

type Find = RegistrationSnapshot['byGroupVersion'];

function named(path: string, find: Find) {
  const slash = path.indexOf('/', GROUPS.length);
  if (slash === -1) return undefined;
  const next = path.indexOf('/', slash + 1);
  const group = path.slice(GROUPS.length, slash);
  const version = path.slice(slash + 1, next === -1 ? path.length : next);
  if (group === '' || version === '' || group === NEVER_REMOTE) return undefined;
  return find(group, version);
}

function core(path: string, find: Find) {
  return path === '/api' || path.startsWith('/api/') ? find('', 'v1') : undefined;
}

/**
 * A path is forwarded unchanged, so it must mean the same to the backend: dot segments could lead out of the group
 * version that the request was authorized for.
 */
export function requireUnambiguousPath({ path, info }: ApiRequest): void {
  // A decoded path differs from the raw one, unless it could not be decoded.
  if (path === info.path && path.includes('%')) {
    throw badRequest('the path of the request is no valid URL encoding');
  }
  if (/(^|\/)\.\.?(\/|$)/.test(info.path)) {
    throw badRequest('the path of the request has a segment "." or ".."');
  }
}
