import type { Leftovers } from './delete-content.ts';
import type { NamespacedResource } from './discover-content.ts';

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
