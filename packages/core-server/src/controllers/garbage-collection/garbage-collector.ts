import { sleep } from '@tributary/client';
import type { ControllerDependencies, RemoteGroups } from '@tributary/client/controller';
import { attemptToDelete, type Collecting } from './attempt-to-delete.ts';
import { attemptToOrphan } from './attempt-to-orphan.ts';
import { type CollectorQueue, collectorQueue } from './collector-queue.ts';
import { GroupAway, NotSeenYet } from './errors.ts';
import { followServed } from './follow-served.ts';
import { DependencyGraph } from './graph.ts';
import { dependentsOf, type GraphNode } from './graph-node.ts';
import { type GroupHealth, groupHealth } from './group-health.ts';
import { groupVersionOf, type LiveObjects, liveObjects } from './live-objects.ts';
import type { OwnMetadata } from './local-monitor.ts';
import { orphanedOwners } from './orphaned-owners.ts';
import { ownerEvents } from './owner-events.ts';
import { type ReferenceCache, referenceCache } from './reference-cache.ts';

interface GarbageCollectorOptions {
  /** Undefined: there are no other servers. */
  readonly remoteGroups?: Pick<RemoteGroups, 'all' | 'follow'> | undefined;
  /** What is served could not be found out, or could not be listed in time. */
  readonly onSyncError?: (() => void) | undefined;
  /** What is kept in this process; all else is asked for. */
  readonly ownMetadata?: OwnMetadata | undefined;
}

/** Whoever waited for the server is served before everything is listed once. */
const START_AFTER_MS = 250;
/** As upstream. */
const ABSENT_OWNERS_MAX = 500;

/** Deletes what has no owner any more, and lets owners go that wait for their dependents. */
export async function runGarbageCollector(
  dependencies: ControllerDependencies,
  options: GarbageCollectorOptions = {},
): Promise<void> {
  const { client, clock, signal } = dependencies;
  try {
    await sleep(clock, START_AFTER_MS, signal);
  } catch {
    return; // The server stops before it began.
  }
  const health = groupHealth(options.remoteGroups, { clock, signal });
  const deletions = collectorQueue('garbage_collector_attempt_to_delete', health, dependencies);
  const orphans = collectorQueue('garbage_collector_attempt_to_orphan', health, dependencies);
  const absentOwners = referenceCache(ABSENT_OWNERS_MAX);
  const graph = graphFor({ deletions, orphans, absentOwners }, dependencies);
  const served = followServed(
    { graph, health, queues: [deletions, orphans], ...options },
    dependencies,
  );
  await served.whenListed();
  const owners = orphanedOwners(clock, served.watched);
  const live = liveObjects({ client, kinds: () => served.kinds, health });
  const collecting: Collecting = {
    graph,
    live,
    absentOwners,
    orphanedOwners: owners.uids,
    attemptToDelete: (node) => deletions.queue.add(node),
  };
  await Promise.all([
    deletions.run(async (node) => {
      requireReachable(node, { health, live });
      const leave = health.reserve([node.identity, ...node.owners].map(groupVersionOf));
      try {
        if ((await attemptToDelete(node, collecting)) === 'unseen') throw new NotSeenYet();
      } finally {
        leave();
      }
    }),
    orphans.run(async (owner) => {
      owners.requireKnownDependents(owner);
      const told = [owner, ...dependentsOf(owner)].map(({ identity }) => groupVersionOf(identity));
      const leave = health.reserve(told);
      try {
        await attemptToOrphan(owner, collecting);
      } finally {
        leave();
      }
    }),
  ]);
  await served.close();
}

function graphFor(
  parts: {
    readonly deletions: CollectorQueue;
    readonly orphans: CollectorQueue;
    readonly absentOwners: ReferenceCache;
  },
  { client, clock, log, signal }: ControllerDependencies,
): DependencyGraph {
  const { deletions, orphans, absentOwners } = parts;
  const onError = (error: unknown) => {
    log.verbose(2, 'An Event was not written', { err: String(error) });
  };
  const report = ownerEvents({ client, clock, signal, onError });
  return new DependencyGraph({
    attemptToDelete: (node) => deletions.queue.add(node),
    attemptToDeleteLater: (node) => deletions.queue.addRateLimited(node),
    attemptToOrphan: (node) => orphans.queue.add(node),
    reportInvalidNamespace: ({ identity }, reference) => report(identity, reference),
    absentOwners,
  });
}

/** Without asking anybody: what depends on a server that is away, or on a kind that is not served, costs nothing. */
function requireReachable(
  { identity, owners }: GraphNode,
  { health, live }: { readonly health: GroupHealth; readonly live: LiveObjects },
): void {
  for (const reference of [identity, ...owners]) {
    const apiVersion = groupVersionOf(reference);
    const why = health.problemOf(apiVersion);
    if (why !== undefined) throw new GroupAway(apiVersion, why);
    live.resourceOf(apiVersion, reference.kind);
  }
}
