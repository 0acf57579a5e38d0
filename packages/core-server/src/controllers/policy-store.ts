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

/**
 * Roles and bindings through the API, for whoever reconciles them. What it is first asked about an object it knows
 * from one list: most starts find everything in place, and hundreds of requests would say so one by one.
 */
export function policyStore(client: Client, signal: AbortSignal): PolicyStore {
  const listed = new Map<RbacResource, Promise<Map<string, KubeObject>>>();
  const told = new Set<string>();
  const all = (resource: RbacResource, namespace = '') => {
    const every = client.resource<KubeObject>(types[resource]);
    return namespace === '' ? every : every.in(namespace);
  };
  const listOf = (resource: RbacResource) => {
    let list = listed.get(resource);
    if (list === undefined) {
      list = all(resource)
        .listAll({ signal })
        .then(({ items }) => new Map(items.map((item) => [keyOf(item.metadata), item])));
      listed.set(resource, list);
    }
    return list;
  };
  return {
    get: async (resource, { namespace, name }) => {
      const key = keyOf({ namespace, name });
      const first = !told.has(`${resource}/${key}`);
      told.add(`${resource}/${key}`);
      if (first) return (await listOf(resource)).get(key) as never;
      // Whoever asks again has lost a race, and the list is older than that.
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

function keyOf({ namespace = '', name = '' }: { namespace?: string | undefined; name?: string }) {
  return `${namespace}/${name}`;
}
