import {
  formatGroupVersion,
  type ObjectMeta,
  parseGroupVersion,
  StatusError,
} from '@tributary/apimachinery';
import {
  type Client,
  type DeleteOptions,
  metadataResource,
  type Patch,
  type ResourceClient,
} from '@tributary/client';
import type { DiscoveredKinds, KindResource } from './discover-kinds.ts';
import { NamespacedOwner, UnknownKind } from './errors.ts';
import type { GroupHealth } from './group-health.ts';
import type { ObjectReference } from './object-reference.ts';

/** Metadata of objects, read from their servers. */
export interface LiveObjects {
  /** `absent` when the server reports that it does not exist. The uid may differ. */
  get(reference: ObjectReference): Promise<ObjectMeta | 'absent'>;
  patch(reference: ObjectReference, patch: Patch): Promise<'done' | 'absent'>;
  delete(
    reference: ObjectReference,
    options: Pick<DeleteOptions, 'propagationPolicy' | 'preconditions'>,
  ): Promise<'done' | 'absent'>;
  /** Throws when the resource cannot be requested. */
  resourceOf(apiVersion: string, kind: string): KindResource;
}

interface LiveObjectsOptions {
  readonly client: Client;
  readonly kinds: () => DiscoveredKinds;
  readonly health: GroupHealth;
}

/** The queue retries. The limit is that of whole objects, because not every server supports metadata only. */
const REQUEST_LIMITS = { retriesMax: 0, responseBytesMax: 8 * 1024 * 1024 } as const;

export function liveObjects({ client, kinds, health }: LiveObjectsOptions): LiveObjects {
  const resourceOf = (apiVersion: string, kind: string): KindResource => {
    const resource = kinds().resourceOf(apiVersion, kind);
    if (resource === undefined) throw new UnknownKind(apiVersion, kind);
    return resource;
  };
  const send = async <T>(
    { apiVersion, kind, namespace, name }: ObjectReference,
    request: (objects: ResourceClient, signal: AbortSignal) => Promise<T>,
  ): Promise<T | 'absent'> => {
    const resource = resourceOf(apiVersion, kind);
    if (resource.namespaced && namespace === '') throw new NamespacedOwner();
    const namespaceOrNone = resource.namespaced ? namespace : undefined;
    const objects = metadataResource(client.transport, resource, namespaceOrNone);
    try {
      return await health.request(formatGroupVersion(resource), (signal) =>
        request(objects, signal),
      );
    } catch (error) {
      if (isAbsent(error, name)) return 'absent';
      throw error;
    }
  };
  return {
    resourceOf,
    get: (reference) =>
      send(reference, async (objects, signal) => {
        const { metadata } = await objects.get(reference.name, { signal, ...REQUEST_LIMITS });
        return metadata;
      }),
    patch: (reference, patch) =>
      send(reference, async (objects, signal) => {
        await objects.patch(reference.name, patch, { signal, ...REQUEST_LIMITS });
        return 'done' as const;
      }),
    delete: (reference, options) =>
      send(reference, async (objects, signal) => {
        await objects.delete(reference.name, { ...options, signal, ...REQUEST_LIMITS });
        return 'done' as const;
      }),
  };
}

/**
 * Whether the server reports that the object does not exist. A 404 may also mean that the resource is not served, for
 * instance while it is registered again, which upstream does not distinguish.
 */
function isAbsent(error: unknown, name: string): boolean {
  if (!(error instanceof StatusError) || error.reason !== 'NotFound') return false;
  return error.status.details?.name === name;
}

/** The group version as in discovery. */
export function groupVersionOf({ apiVersion }: { readonly apiVersion: string }): string {
  const parsed = parseGroupVersion(apiVersion);
  return parsed === undefined ? apiVersion : formatGroupVersion(parsed);
}
