import { sleep } from '@tributary/client';
import type { ControllerDependencies, RemoteGroups } from '@tributary/client/controller';
import { attemptToDelete, type CollectorContext } from './attempt-to-delete.ts';
import { attemptToOrphan } from './attempt-to-orphan.ts';
import { type CollectorQueue, collectorQueue } from './collector-queue.ts';
import { GroupUnavailable, NotObserved } from './errors.ts';
import { DependencyGraph } from './graph.ts';
import { dependentsOf, type GraphNode } from './graph-node.ts';
import { GroupHealth } from './group-health.ts';
import { groupVersionOf, type LiveObjects, liveObjects } from './live-objects.ts';
import type { LocalMetadata } from './local-monitor.ts';
import { orphanedOwners } from './orphaned-owners.ts';
import { ownerEvents } from './owner-events.ts';
import { type ReferenceCache, referenceCache } from './reference-cache.ts';
import { watchServed } from './watch-served.ts';

interface GarbageCollectorOptions {
  /** Groups of other servers; undefined when there are none. */
  readonly remoteGroups?: Pick<RemoteGroups, 'all' | 'follow'> | undefined;
  /** Called when discovery fails, or a resource cannot be listed in time. */
  readonly onSyncError?: (() => void) | undefined;
  /** Watches of resources that this process stores; others are watched by requests. */
  readonly localMetadata?: LocalMetadata | undefined;
}

/** Requests that waited for the server's start are served before the first lists. */
const START_AFTER_MS = 250;
/** As upstream. */
const ABSENT_OWNERS_MAX = 500;

/** Deletes objects without owners, and completes orphaning and foreground deletion. */
export async function runGarbageCollector(
  dependencies: ControllerDependencies,
  options: GarbageCollectorOptions = {},
): Promise<void> {
  const { client, clock, signal } = dependencies;
  try {
    await sleep(clock, START_AFTER_MS, signal);
  } catch {
    return; // The server stops.
  }
  const health = new GroupHealth(options.remoteGroups, { clock, signal });
  const deletions = collectorQueue('garbage_collector_attempt_to_delete', health, dependencies);
  const orphans = collectorQueue('garbage_collector_attempt_to_orphan', health, dependencies);
  const absentOwners = referenceCache(ABSENT_OWNERS_MAX);
  const graph = graphFor({ deletions, orphans, absentOwners }, dependencies);
  const served = watchServed(
    { graph, health, queues: [deletions, orphans], ...options },
    dependencies,
  );
  await served.whenListed();
  const owners = orphanedOwners(clock, served.watched);
  const live = liveObjects({ client, kinds: () => served.kinds, health });
  const context: CollectorContext = {
    graph,
    live,
    absentOwners,
    orphanedOwners: owners.uids,
    attemptToDelete: (node) => deletions.queue.add(node),
  };
  await Promise.all([
    deletions.run(async (node) => {
      requireReachable(node, { health, live });
      const release = health.reserve([node.identity, ...node.owners].map(groupVersionOf));
      try {
        if ((await attemptToDelete(node, context)) === 'unseen') throw new NotObserved();
      } finally {
        release();
      }
    }),
    orphans.run(async (owner) => {
      owners.requireKnownDependents(owner);
      const groupVersions = [owner, ...dependentsOf(owner)].map(({ identity }) =>
        groupVersionOf(identity),
      );
      const release = health.reserve(groupVersions);
      try {
        await attemptToOrphan(owner, context);
      } finally {
        release();
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
    log.verbose(2, 'Event not written', { err: String(error) });
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

/** Fails without a request when a server is unavailable or a kind is not served. */
function requireReachable(
  { identity, owners }: GraphNode,
  { health, live }: { readonly health: GroupHealth; readonly live: LiveObjects },
): void {
  for (const reference of [identity, ...owners]) {
    const apiVersion = groupVersionOf(reference);
    const problem = health.problemOf(apiVersion);
    if (problem !== undefined) throw new GroupUnavailable(apiVersion, problem);
    live.resourceOf(apiVersion, reference.kind);
  }
}
