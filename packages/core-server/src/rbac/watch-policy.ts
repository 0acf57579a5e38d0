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

/** Keeps the index in sync with the stored roles and bindings. Resolves when it has all of them. */
export async function watchPolicy(
  index: RbacIndex,
  informers: SharedInformers,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(
    RBAC_RESOURCES.map((resource) => watchResource(index, resource, informers, signal)),
  );
}

function watchResource<Resource extends RbacResource>(
  index: RbacIndex,
  resource: Resource,
  informers: SharedInformers,
  signal: AbortSignal,
): Promise<void> {
  const informer = informers.of(rbacResourceTypes[resource]);
  // The server has validated them.
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
