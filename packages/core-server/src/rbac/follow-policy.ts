import type { KubeObject } from '@tributary/apimachinery';
import {
  clusterRoleBindings,
  clusterRoles,
  roleBindings,
  roles,
  type SharedInformers,
} from '@tributary/client/controller';
import { RBAC_RESOURCES } from './bootstrap-policy.ts';
import type { RbacIndex } from './rbac-index.ts';
import type { RbacObjects, RbacResource } from './types.ts';

export const rbacResourceTypes = {
  roles,
  clusterroles: clusterRoles,
  rolebindings: roleBindings,
  clusterrolebindings: clusterRoleBindings,
} as const;

/** Tells the index of every role and binding. Resolves when it knows all that there are now. */
export async function followPolicy(
  index: RbacIndex,
  informers: SharedInformers,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(RBAC_RESOURCES.map((resource) => follow(index, resource, informers, signal)));
}

function follow<Resource extends RbacResource>(
  index: RbacIndex,
  resource: Resource,
  informers: SharedInformers,
  signal: AbortSignal,
): Promise<void> {
  const informer = informers.of(rbacResourceTypes[resource]);
  // The server has read them as what they are.
  const put = (object: KubeObject) =>
    index.put(resource, object as unknown as RbacObjects[Resource]);
  const subscription = informer.addHandler({
    onAdd: put,
    onUpdate: (_old, object) => put(object),
    onDelete: ({ metadata: { namespace, name = '' } }) =>
      index.remove(resource, { namespace, name }),
  });
  signal.addEventListener('abort', () => subscription.close(), { once: true });
  return subscription.whenSynced();
}
