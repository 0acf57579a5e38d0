import { type Clock, sleep } from '@tributary/client';
import type { ControllerDependencies } from '@tributary/client/controller';
import type { CollectorQueue } from './collector-queue.ts';
import type { DiscoveredKinds } from './discover-kinds.ts';
import type { DependencyGraph } from './graph.ts';
import { graphChanges } from './graph-changes.ts';
import type { GroupHealth } from './group-health.ts';
import type { LocalMetadata } from './local-monitor.ts';
import { Monitors } from './monitors.ts';
import { pollDiscovery } from './poll-discovery.ts';

/** Watches of all served resources, which feed the graph. */
interface ServedWatches {
  readonly kinds: DiscoveredKinds;
  readonly watched: Monitors;
  /** Resolves when the graph has all local resources, or after a timeout. */
  whenListed(): Promise<void>;
  /** Called after the signal fired. */
  close(): Promise<void>;
}

interface WatchServedOptions {
  readonly graph: DependencyGraph;
  readonly health: GroupHealth;
  /** Queues to wake when a server or a kind becomes available. */
  readonly queues: readonly CollectorQueue[];
  /** Called when discovery fails, or a resource cannot be listed, or not in time. */
  readonly onSyncError?: (() => void) | undefined;
  /** Watches of resources that this process stores; others are watched by requests. */
  readonly localMetadata?: LocalMetadata | undefined;
}

/** As upstream: how long garbage collection waits for the first lists of this server. */
const LISTED_MS_MAX = 30_000;

export function watchServed(
  { graph, health, queues, onSyncError, localMetadata }: WatchServedOptions,
  { client, clock, log, signal }: ControllerDependencies,
): ServedWatches {
  const changes = graphChanges(graph);
  const listed = Promise.withResolvers<void>();
  const wake = () => {
    const isUnavailable = (apiVersion: string) => health.problemOf(apiVersion) !== undefined;
    for (const queue of queues) queue.wake(isUnavailable);
  };
  const checkListed = () => {
    if (watched.unsynced('local').length === 0) listed.resolve();
    wake();
  };
  const watched = new Monitors({
    client,
    clock,
    changes,
    health,
    localMetadata: localMetadata,
    onSynced: checkListed,
    onServingChange: () => kinds.pollSoon(),
    onError: (error, resource) => {
      const fields = { resource, err: String(error) };
      log.verbose(2, 'Watch failed', fields);
    },
    onGivenUp: onSyncError,
  });
  const kinds = pollDiscovery({
    client,
    clock,
    signal,
    onChange: (found) => {
      watched.watch(found.watched);
      checkListed();
    },
    onError: (error) => {
      onSyncError?.();
      log.error(error, 'Garbage collector discovery failed');
    },
  });
  const removeListener = health.onChange(() => {
    watched.watch(kinds.current.watched);
    wake();
    kinds.pollSoon();
  });
  return {
    get kinds() {
      return kinds.current;
    },
    watched,
    async whenListed() {
      const isListed = await resolvesWithin(listed.promise, { clock, ms: LISTED_MS_MAX, signal });
      if (!isListed && !signal.aborted) onSyncError?.();
    },
    async close() {
      removeListener();
      changes.close();
      await Promise.all([kinds.done, watched.close()]);
    },
  };
}

/** False when the timeout or the signal comes first. */
async function resolvesWithin(
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
