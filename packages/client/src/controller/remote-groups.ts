import type { ResourceType } from '../resource/resource-path.ts';

/** A resource whose objects may lie in namespaces. */
export interface NamespacedResource extends ResourceType {
  readonly canDeleteCollection: boolean;
  readonly canList: boolean;
}

/** What is left of one resource in a namespace after its deletion was asked for. */
export interface Leftovers {
  readonly count: number;
  /** How many of them each finalizer holds. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** There was no time for more: the rest is for the next attempt. */
  readonly isUnderWay?: boolean;
  /** They end by themselves. */
  readonly isExpected?: boolean;
}

/** Group versions that other servers serve. Who passes requests on to them knows how they are. */
export interface RemoteGroups {
  /** All of them, by `group/version`, with the reason why one cannot be asked at present. */
  all(): ReadonlyMap<string, string | undefined>;
  /**
   * Deletes what a namespace has of one resource there. Must end soon, whatever that server does. A StatusError is
   * what the server answered; anything else means that it gave no answer that can be used.
   */
  deleteContent(
    resource: NamespacedResource,
    place: { readonly namespace: string; readonly signal: AbortSignal },
  ): Promise<Leftovers>;
  /**
   * Nothing else is left in the namespace. `owed`: what these may have is written down, will be deleted when their
   * servers are back, and is nothing that the namespace waits for.
   */
  settle(
    namespace: { readonly name: string; readonly uid: string },
    unreachable: readonly UnreachableGroup[],
    signal: AbortSignal,
  ): Promise<'wait' | 'owed'>;
  /** Told when somebody can be asked again, or no more. */
  follow(hear: () => void): () => void;
}

/** A group version whose objects in a namespace could not be deleted, because nobody there answers. */
export interface UnreachableGroup {
  readonly groupVersion: string;
  readonly why: string;
  /** What it is known to serve; empty when that was never heard. */
  readonly resources: readonly NamespacedResource[];
  /** For how long it is so, as far as this namespace was looked at. */
  readonly sinceMs: number;
}
