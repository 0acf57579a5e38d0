import { aggregateTexts, goQuote } from '@tributary/apimachinery';
import { RBAC_GROUP, type RbacResource, type RoleRef } from './types.ts';

/**
 * The error of a reference to a role that does not exist or has an unknown kind. Decisions name the role in the
 * singular; where upstream reads the store, the message names the resource of the request (`requested`).
 */
export function roleRefError({ kind = '', name = '' }: RoleRef, requested?: RbacResource): string {
  if (kind !== 'Role' && kind !== 'ClusterRole') {
    return `unsupported role reference kind: ${goQuote(kind)}`;
  }
  return `${requested ?? kind.toLowerCase()}.${RBAC_GROUP} ${goQuote(name)} not found`;
}

/** Several errors in one text without repeats; undefined without any. */
export function roleRefErrors(
  refs: readonly RoleRef[],
  requested?: RbacResource,
): string | undefined {
  if (refs.length === 0) return undefined;
  return aggregateTexts(refs.map((ref) => roleRefError(ref, requested)));
}
