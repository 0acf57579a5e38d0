import type { Clock } from '@tributary/client';
import { GroupAway } from './errors.ts';
import type { GraphNode } from './graph-node.ts';
import type { Monitors } from './monitors.ts';

/**
 * Owners that were to leave their dependents behind, and went before all of those could be told. What turns up later
 * with such an owner must not be taken for garbage.
 */
interface OrphanedOwners {
  readonly uids: ReadonlySet<string>;
  /**
   * Throws while dependents may exist that are not in the graph yet: they would lose their owner without having been
   * told, and would look like garbage. After a while the owner may go nevertheless, and is remembered.
   */
  requireKnownDependents(owner: GraphNode): void;
}

/** As long as upstream waits for everything. */
const PATIENCE_MS = 30_000;
/** The oldest are forgotten first. */
const OWNERS_MAX = 10_000;

export function orphanedOwners(clock: Clock, watched: Pick<Monitors, 'unsynced'>): OrphanedOwners {
  const uids = new Set<string>();
  const sinceMs = new WeakMap<GraphNode, number>();
  return {
    uids,
    requireKnownDependents(owner) {
      const [missing] = [...watched.unsynced('here'), ...watched.unsynced('elsewhere')];
      if (missing === undefined) return;
      const nowMs = clock.nowMs();
      const since = sinceMs.get(owner) ?? nowMs;
      sinceMs.set(owner, since);
      if (nowMs - since < PATIENCE_MS) throw new GroupAway(missing, 'it was not listed yet');
      uids.add(owner.identity.uid);
      const [oldest] = uids;
      if (uids.size > OWNERS_MAX && oldest !== undefined) uids.delete(oldest);
    },
  };
}
