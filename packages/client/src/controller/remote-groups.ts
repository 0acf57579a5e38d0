import type { ResourceType } from '../resource/resource-path.ts';

/** A resource whose objects may be in namespaces. */
export interface NamespacedResource extends ResourceType {
  readonly canDeleteCollection: boolean;
  readonly canList: boolean;
}

/** The remaining objects of one resource in a namespace after a request for their deletion. */
export interface Leftovers {
  readonly count: number;
  /** The number of objects for each finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** The time was not enough: the rest is for the next attempt. */
  readonly isUnderWay?: boolean;
  /** Their deletion completes without further requests. */
  readonly isExpected?: boolean;
}

/** Group versions of other servers. The proxy of these servers knows their availability. */
export interface RemoteGroups {
  /** All group versions, as `group/version`, with the reason why one is unavailable. */
  all(): ReadonlyMap<string, string | undefined>;
  /**
   * Deletes the objects of one resource in a namespace. Must end soon, whatever the server does. A StatusError is the
   * server's response; any other error means that there was no usable response.
   */
  deleteContent(
    resource: NamespacedResource,
    place: { readonly namespace: string; readonly signal: AbortSignal },
  ): Promise<Leftovers>;
  /**
   * Nothing else is left in the namespace. `owed`: the deletion of these objects is recorded, happens when their
   * servers are available again, and does not block the namespace.
   */
  deferDeletion(
    namespace: { readonly name: string; readonly uid: string },
    unreachable: readonly UnreachableGroup[],
    signal: AbortSignal,
  ): Promise<'wait' | 'owed'>;
  /** Calls the listener when a server becomes available or unavailable. */
  follow(listener: () => void): () => void;
}

/** A group version whose objects in a namespace could not be deleted, because its server is unavailable. */
export interface UnreachableGroup {
  readonly groupVersion: string;
  readonly why: string;
  /** The last known resources; empty when none were ever discovered. */
  readonly resources: readonly NamespacedResource[];
  /** How long it has been unavailable, as far as this namespace has observed. */
  readonly sinceMs: number;
}
