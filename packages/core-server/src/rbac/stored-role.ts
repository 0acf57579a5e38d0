import type { ClusterRole, Role } from '@tributary/api/rbac-v1';
import type { Client } from '@tributary/client';
import { clusterRoles, ignoreNotFound, roles } from '@tributary/client/controller';
import type { PolicyRule, RoleRef } from './types.ts';

/** The rules of a role, read from the store, because a client may create a role and bind it at once. */
export async function storedRole(
  client: Client,
  { kind, name = '' }: RoleRef,
  namespace: string,
): Promise<readonly PolicyRule[] | undefined> {
  const role = await ignoreNotFound<Role | ClusterRole>(
    kind === 'Role'
      ? client.resource<Role>(roles).in(namespace).get(name)
      : client.resource<ClusterRole>(clusterRoles).get(name),
  );
  // Absent and empty verbs both allow nothing.
  return role && (role.rules ?? []).map((rule) => ({ ...rule, verbs: rule.verbs ?? [] }));
}
