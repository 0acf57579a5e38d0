import type { Client } from '@tributary/client';
import type { ClusterRole, Role } from '../generated/rbac-v1.ts';
import type { PolicyRule, RoleRef } from '../rbac/types.ts';
import { isNotFound } from './conflicts.ts';
import { clusterRoles, roles } from './resources.ts';

/** The rules of a role as it is stored now: whoever binds it may have made it a moment ago. */
export async function storedRole(
  client: Client,
  { kind, name = '' }: RoleRef,
  namespace: string,
): Promise<readonly PolicyRule[] | undefined> {
  try {
    const role =
      kind === 'Role'
        ? await client.resource<Role>(roles).in(namespace).get(name)
        : await client.resource<ClusterRole>(clusterRoles).get(name);
    // A rule without verbs allows nothing, in whichever way it says so.
    return (role.rules ?? []).map((rule) => ({ ...rule, verbs: rule.verbs ?? [] }));
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
