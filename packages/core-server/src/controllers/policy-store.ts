import type { KubeObject } from '@tributary/apimachinery';
import type { Client } from '@tributary/client';
import type { PolicyStore } from '../rbac/reconcile-policy.ts';
import type { RbacResource } from '../rbac/types.ts';
import { unlessMissing } from './conflicts.ts';
import { policyTypes } from './resources.ts';
import type { SharedInformers } from './shared-informers.ts';

/**
 * Roles and bindings through the API, for whoever reconciles them. What it is first asked about an object it knows from
 * the copy that is followed anyway: most starts find everything in place, and hundreds of requests would say so one by
 * one.
 */
export function policyStore(
  client: Client,
  informers: SharedInformers,
  signal: AbortSignal,
): PolicyStore {
  const told = new Set<string>();
  const all = (resource: RbacResource, namespace = '') => {
    const every = client.resource<KubeObject>(policyTypes[resource]);
    return namespace === '' ? every : every.in(namespace);
  };
  return {
    get: async (resource, { namespace, name }) => {
      const key = namespace ? `${namespace}/${name}` : name;
      const first = !told.has(`${resource} ${key}`);
      told.add(`${resource} ${key}`);
      if (first) return informers.of(policyTypes[resource]).store.get(key) as never;
      // Whoever asks again has lost a race, and the copy is older than that.
      return (await unlessMissing(all(resource, namespace).get(name, { signal }))) as never;
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
