import { aggregateTexts, goQuote } from '@tributary/apimachinery';
import { RBAC_GROUP, type RbacResource, type RoleRef } from './types.ts';

/**
 * What is wrong with the reference of a binding: the role is not there, or cannot be. A decision names what is
 * missing in the singular; where upstream reads the store, it names the resource of the request (`requested`).
 */
export function roleProblem({ kind = '', name = '' }: RoleRef, requested?: RbacResource): string {
  if (kind !== 'Role' && kind !== 'ClusterRole') {
    return `unsupported role reference kind: ${goQuote(kind)}`;
  }
  return `${requested ?? kind.toLowerCase()}.${RBAC_GROUP} ${goQuote(name)} not found`;
}

/** Several in one text, equal ones once; undefined when there are none. */
export function roleProblems(
  refs: readonly RoleRef[],
  requested?: RbacResource,
): string | undefined {
  if (refs.length === 0) return undefined;
  return aggregateTexts(refs.map((ref) => roleProblem(ref, requested)));
}
