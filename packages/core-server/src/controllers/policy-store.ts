import type { KubeObject } from '@tributary/apimachinery';
import type { Client } from '@tributary/client';
import type { PolicyStore } from '../rbac/reconcile-policy.ts';
import type { RbacResource } from '../rbac/types.ts';
import { isNotFound } from './conflicts.ts';
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from './resources.ts';

const types = {
  roles,
  clusterroles: clusterRoles,
  rolebindings: roleBindings,
  clusterrolebindings: clusterRoleBindings,
} as const;

/** Roles and bindings through the API, for whoever reconciles them. */
export function policyStore(client: Client, signal: AbortSignal): PolicyStore {
  const all = (resource: RbacResource, namespace = '') => {
    const every = client.resource<KubeObject>(types[resource]);
    return namespace === '' ? every : every.in(namespace);
  };
  return {
    get: async (resource, { namespace, name }) => {
      try {
        return (await all(resource, namespace).get(name, { signal })) as never;
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw error;
      }
    },
    create: (resource, object) =>
      all(resource, object.metadata.namespace).create(object as unknown as KubeObject, { signal }),
    update: (resource, object) =>
      all(resource, object.metadata.namespace).update(object as unknown as KubeObject, { signal }),
    delete: (resource, { metadata }) =>
      all(resource, metadata.namespace).delete(metadata.name ?? '', {
        ...(metadata.uid && { preconditions: { uid: metadata.uid } }),
        signal,
      }),
  };
}
