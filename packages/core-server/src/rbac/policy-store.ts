import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeObject } from '@tributary/apimachinery';
import type { Client } from '@tributary/client';
import { ignoreNotFound, type SharedInformers } from '@tributary/client/controller';
import { rbacResourceTypes } from './follow-policy.ts';
import type { PolicyStore } from './reconcile-policy.ts';
import type { RbacResource } from './types.ts';

interface FollowedPolicyStore extends PolicyStore {
  /** Resolves when the copies have what was written here, or when somebody else must have taken it away again. */
  known(): Promise<void>;
}

const LOOK_AGAIN_MS = 2;
const KNOWN_MS_MAX = 5_000;

/**
 * Roles and bindings through the API, for whoever reconciles them. What it is first asked about an object it knows from
 * the copy that is followed anyway: most starts find everything in place, and hundreds of requests would say so one by
 * one.
 */
export function policyStore(
  client: Client,
  informers: SharedInformers,
  signal: AbortSignal,
): FollowedPolicyStore {
  const told = new Set<string>();
  const written: { readonly resource: RbacResource; readonly object: KubeObject }[] = [];
  const all = (resource: RbacResource, namespace = '') => {
    const every = client.resource<KubeObject>(rbacResourceTypes[resource]);
    return namespace === '' ? every : every.in(namespace);
  };
  const copyOf = (resource: RbacResource, key: string) =>
    informers.of(rbacResourceTypes[resource]).store.get(key);
  const write = async (resource: RbacResource, writing: Promise<KubeObject>) => {
    written.push({ resource, object: await writing });
  };
  return {
    get: async (resource, { namespace, name }) => {
      const key = keyOf({ namespace, name });
      const first = !told.has(`${resource} ${key}`);
      told.add(`${resource} ${key}`);
      if (first) return copyOf(resource, key) as never;
      // Whoever asks again has lost a race, and the copy is older than that.
      return (await ignoreNotFound(all(resource, namespace).get(name, { signal }))) as never;
    },
    create: (resource, object) => {
      const { namespace } = object.metadata;
      const given = object as unknown as KubeObject;
      return write(resource, all(resource, namespace).create(given, { signal }));
    },
    update: (resource, object) => {
      const { namespace } = object.metadata;
      const given = object as unknown as KubeObject;
      return write(resource, all(resource, namespace).update(given, { signal }));
    },
    delete: (resource, { metadata }) =>
      all(resource, metadata.namespace).delete(metadata.name ?? '', {
        ...(metadata.uid && { preconditions: { uid: metadata.uid } }),
        signal,
      }),
    known: async () => {
      const endMs = performance.now() + KNOWN_MS_MAX;
      for (const { resource, object } of written) {
        const key = keyOf(object.metadata);
        while (performance.now() < endMs && isOlder(copyOf(resource, key), object)) {
          await sleep(LOOK_AGAIN_MS, undefined, { signal });
        }
      }
      // Handlers are told right after the copy has changed.
      await sleep(LOOK_AGAIN_MS, undefined, { signal });
    },
  };
}

function keyOf(id: {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}): string {
  const { namespace, name = '' } = id;
  return namespace ? `${namespace}/${name}` : name;
}

function isOlder(copy: KubeObject | undefined, { metadata }: KubeObject): boolean {
  return Number(copy?.metadata.resourceVersion ?? 0) < Number(metadata.resourceVersion);
}
