import { type Clock, sleep } from '@tributary/client';
import type { ControllerDependencies } from '@tributary/client/controller';
import type { CollectorQueue } from './collector-queue.ts';
import type { DiscoveredKinds } from './discover-kinds.ts';
import { followKinds } from './follow-kinds.ts';
import type { DependencyGraph } from './graph.ts';
import { graphChanges } from './graph-changes.ts';
import type { GroupHealth } from './group-health.ts';
import type { OwnMetadata } from './local-monitor.ts';
import { type Monitors, monitors } from './monitors.ts';

/** Everything that is served, on its way into the graph. */
interface FollowedServers {
  readonly kinds: DiscoveredKinds;
  readonly watched: Monitors;
  /** When the graph has what this server serves, or that takes too long. */
  whenListed(): Promise<void>;
  /** After the signal. */
  close(): Promise<void>;
}

interface FollowServedOptions {
  readonly graph: DependencyGraph;
  readonly health: GroupHealth;
  /** What waits in them for a server or a kind has its turn when there is a change. */
  readonly queues: readonly CollectorQueue[];
  /** It is not known what is served, or something that is served cannot be listed, or not in time. */
  readonly onSyncError?: (() => void) | undefined;
  /** What is kept in this process; all else is asked for. */
  readonly ownMetadata?: OwnMetadata | undefined;
}

/** How long the first lists of this server may take before garbage is collected without them. As upstream. */
const LISTED_MS_MAX = 30_000;

export function followServed(
  { graph, health, queues, onSyncError, ownMetadata }: FollowServedOptions,
  { client, clock, log, signal }: ControllerDependencies,
): FollowedServers {
  const changes = graphChanges(graph);
  const listed = Promise.withResolvers<void>();
  const wake = () => {
    const isAway = (apiVersion: string) => health.problemOf(apiVersion) !== undefined;
    for (const queue of queues) queue.wake(isAway);
  };
  const lookWhetherListed = () => {
    if (watched.unsynced('here').length === 0) listed.resolve();
    wake();
  };
  const watched = monitors({
    client,
    clock,
    changes,
    health,
    ownMetadata,
    onSynced: lookWhetherListed,
    onServingChange: () => kinds.lookSoon(),
    onError: (error, resource) => {
      const fields = { resource, err: String(error) };
      log.verbose(2, 'The garbage collector cannot follow a resource', fields);
    },
    onGivenUp: onSyncError,
  });
  const kinds = followKinds({
    client,
    clock,
    signal,
    onChange: (found) => {
      watched.follow(found.watched);
      lookWhetherListed();
    },
    onError: (error) => {
      onSyncError?.();
      log.error(error, 'The garbage collector does not know what is served');
    },
  });
  const leave = health.follow(() => {
    watched.follow(kinds.current.watched);
    wake();
    kinds.lookSoon();
  });
  return {
    get kinds() {
      return kinds.current;
    },
    watched,
    async whenListed() {
      const isListed = await settledWithin(listed.promise, { clock, ms: LISTED_MS_MAX, signal });
      if (!isListed && !signal.aborted) onSyncError?.();
    },
    async close() {
      leave();
      changes.close();
      await Promise.all([kinds.done, watched.close()]);
    },
  };
}

/** False when the time is over first, or the signal fires. */
async function settledWithin(
  promise: Promise<void>,
  { clock, ms, signal }: { clock: Clock; ms: number; signal: AbortSignal },
): Promise<boolean> {
  const stop = new AbortController();
  const never = () => false;
  const timeout = sleep(clock, ms, AbortSignal.any([signal, stop.signal])).then(never, never);
  const outcome = await Promise.race([promise.then(() => true), timeout]);
  stop.abort();
  return outcome;
}
