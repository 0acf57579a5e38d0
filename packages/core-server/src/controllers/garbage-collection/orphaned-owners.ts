import type { Clock } from '@tributary/client';
import { GroupUnavailable } from './errors.ts';
import type { GraphNode } from './graph-node.ts';
import type { Monitors } from './monitors.ts';

/**
 * Owners deleted with orphaning before all dependents were known. Dependents observed later must not be collected as
 * garbage.
 */
interface OrphanedOwners {
  readonly uids: ReadonlySet<string>;
  /**
   * Throws while dependents may exist that the graph does not have: they would look like garbage once the owner is
   * gone. After a timeout the owner is deleted and recorded.
   */
  requireKnownDependents(owner: GraphNode): void;
}

/** As long as upstream waits for all resources. */
const TIMEOUT_MS = 30_000;
/** The oldest are evicted first. */
const OWNERS_MAX = 10_000;

export function orphanedOwners(clock: Clock, watched: Pick<Monitors, 'unsynced'>): OrphanedOwners {
  const uids = new Set<string>();
  const sinceMs = new WeakMap<GraphNode, number>();
  return {
    uids,
    requireKnownDependents(owner) {
      const [missing] = [...watched.unsynced('local'), ...watched.unsynced('remote')];
      if (missing === undefined) return;
      const nowMs = clock.nowMs();
      const since = sinceMs.get(owner) ?? nowMs;
      sinceMs.set(owner, since);
      if (nowMs - since < TIMEOUT_MS) throw new GroupUnavailable(missing, 'it was not listed yet');
      uids.add(owner.identity.uid);
      const [oldest] = uids;
      if (uids.size > OWNERS_MAX && oldest !== undefined) uids.delete(oldest);
    },
  };
}
