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

/** Objects as their servers have them now, of which only the metadata is read. */
export interface LiveObjects {
  /** The server says whether it is there. The uid may be another one. */
  get(reference: ObjectReference): Promise<ObjectMeta | 'absent'>;
  patch(reference: ObjectReference, patch: Patch): Promise<'done' | 'absent'>;
  delete(
    reference: ObjectReference,
    options: Pick<DeleteOptions, 'propagationPolicy' | 'preconditions'>,
  ): Promise<'done' | 'absent'>;
  /** Where it would be; throws what stands against asking for it. */
  resourceOf(apiVersion: string, kind: string): KindResource;
}

interface LiveObjectsOptions {
  readonly client: Client;
  readonly kinds: () => DiscoveredKinds;
  readonly health: GroupHealth;
}

/** Failures are for the queue to repeat. Metadata are far smaller, but not every server can send them alone. */
const ONE_ANSWER = { retriesMax: 0, responseBytesMax: 8 * 1024 * 1024 } as const;

export function liveObjects({ client, kinds, health }: LiveObjectsOptions): LiveObjects {
  const resourceOf = (apiVersion: string, kind: string): KindResource => {
    const resource = kinds().resourceOf(apiVersion, kind);
    if (resource === undefined) throw new UnknownKind(apiVersion, kind);
    return resource;
  };
  const ask = async <T>(
    { apiVersion, kind, namespace, name }: ObjectReference,
    request: (objects: ResourceClient, signal: AbortSignal) => Promise<T>,
  ): Promise<T | 'absent'> => {
    const resource = resourceOf(apiVersion, kind);
    if (resource.namespaced && namespace === '') throw new NamespacedOwner();
    const place = resource.namespaced ? namespace : undefined;
    const objects = metadataResource(client.transport, resource, place);
    try {
      return await health.ask(formatGroupVersion(resource), (signal) => request(objects, signal));
    } catch (error) {
      if (isAbsent(error, name)) return 'absent';
      throw error;
    }
  };
  return {
    resourceOf,
    get: (reference) =>
      ask(reference, async (objects, signal) => {
        const { metadata } = await objects.get(reference.name, { signal, ...ONE_ANSWER });
        return metadata;
      }),
    patch: (reference, patch) =>
      ask(reference, async (objects, signal) => {
        await objects.patch(reference.name, patch, { signal, ...ONE_ANSWER });
        return 'done' as const;
      }),
    delete: (reference, options) =>
      ask(reference, async (objects, signal) => {
        await objects.delete(reference.name, { ...options, signal, ...ONE_ANSWER });
        return 'done' as const;
      }),
  };
}

/**
 * Whether a server says that it has no object of this name. Just as many answers with 404 say that nobody serves the
 * resource, for instance while it is registered again: upstream takes those for an answer about the object.
 */
function isAbsent(error: unknown, name: string): boolean {
  if (!(error instanceof StatusError) || error.reason !== 'NotFound') return false;
  return error.status.details?.name === name;
}

/** The group version as discovery spells it. */
export function groupVersionOf({ apiVersion }: { readonly apiVersion: string }): string {
  const parsed = parseGroupVersion(apiVersion);
  return parsed === undefined ? apiVersion : formatGroupVersion(parsed);
}
