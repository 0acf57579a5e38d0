import { formatGroupVersion } from '@tributary/apimachinery';
import type { Clock } from '@tributary/client';
import type { Logger } from '@tributary/server';
import type { APIResourceDiscovery } from '@tributary/server/discovery';
import type { VersionResources } from '../discovery/aggregated-document.ts';
import { fetchAggregated, fetchLegacy, NoDiscovery } from '../discovery/fetch-documents.ts';
import { fromLegacy } from '../discovery/legacy-document.ts';
import type { OfferedVersion } from '../discovery/merge-groups.ts';
import type { Cluster } from './cluster.ts';
import { fetchGroupVersions } from './cluster-groups.ts';
import { clusterVersions } from './cluster-versions.ts';

export interface ClusterDiscoveryOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called when the served groups change. */
  readonly changed: () => void;
}

/** The last known groups of the cluster; they stay while the cluster is unavailable. */
export interface ClusterDiscovery extends AsyncDisposable {
  readonly versions: readonly OfferedVersion[];
  /** When it was asked once, successfully or not. */
  readonly polled: Promise<void>;
  /** Reports a read, after which the cluster is polled more often for a while. */
  onRead(): void;
  /** Something was written there that may change it. */
  onWrite(): void;
  close(): Promise<void>;
}

/** Nothing is sent but a tag, and nothing comes back, unless there is something new. */
const READ_POLL_MS = 2_000;
const IDLE_POLL_MS = 60_000;
const READ_PERIOD_MS = 30_000;
/** A new kind takes the cluster a moment. */
const WRITTEN_POLL_MS = 200;
const WRITTEN_PERIOD_MS = 3_000;
/** Of the lists of an old cluster, which has one for each group version. */
const LISTS_AT_ONCE = 8;

export function watchClusterDiscovery(options: ClusterDiscoveryOptions): ClusterDiscovery {
  const { cluster, clock, log } = options;
  const closing = new AbortController();
  const client = { backend: cluster, clock, signal: closing.signal };
  let known: { readonly etag: string | undefined; readonly text: string } | undefined;
  let versions: readonly OfferedVersion[] = [];
  let lastProblem = '';
  let readMs = Number.NEGATIVE_INFINITY;
  let writtenMs = Number.NEGATIVE_INFINITY;
  let cancelTimer = () => {};
  let round: Promise<void> | undefined;

  const update = (served: VersionResources, etag: string | undefined): void => {
    const offered = clusterVersions(served);
    const text = JSON.stringify(offered);
    const isSame = text === known?.text;
    known = { etag, text };
    if (isSame) return;
    versions = offered;
    options.changed();
  };
  const poll = async (): Promise<void> => {
    const result = await fetchAggregated(client, known?.etag);
    if (result.outcome === 'document') update(result.versions, result.etag);
    // Clusters before 1.26, where every list is asked for: that is rarely enough.
    else if (result.outcome === 'unknown') update(await fetchLists(), undefined);
  };
  const fetchLists = async (): Promise<VersionResources> => {
    const groupVersions = await fetchGroupVersions(client);
    const lists = new Map<string, readonly APIResourceDiscovery[]>();
    for (const one of groupVersions) lists.set(formatGroupVersion(one), []);
    for (let at = 0; at < groupVersions.length; at += LISTS_AT_ONCE) {
      const some = groupVersions.slice(at, at + LISTS_AT_ONCE);
      await Promise.all(
        some.map(async (one) => {
          const list = await fetchLegacy(client, one).catch(unlessMissing);
          lists.set(formatGroupVersion(one), fromLegacy(list));
        }),
      );
    }
    return lists;
  };
  const pollOnce = async (): Promise<void> => {
    let problem = '';
    try {
      await poll();
    } catch (error) {
      if (closing.signal.aborted) return;
      problem = error instanceof Error ? error.message : String(error);
      if (problem !== lastProblem) log.error(error, 'Discovery of the cluster failed');
    }
    lastProblem = problem;
  };
  const run = (): void => {
    cancelTimer();
    round ??= pollOnce().finally(() => {
      round = undefined;
      if (!closing.signal.aborted) cancelTimer = clock.schedule(nextDelay(), run);
    });
  };
  const nextDelay = (): number => {
    const nowMs = clock.nowMs();
    if (nowMs - writtenMs < WRITTEN_PERIOD_MS) return WRITTEN_POLL_MS;
    return nowMs - readMs < READ_PERIOD_MS ? READ_POLL_MS : IDLE_POLL_MS;
  };
  run();
  const polled = round ?? Promise.resolve();
  const close = async (): Promise<void> => {
    closing.abort(new Error('the aggregator is stopping'));
    cancelTimer();
    await round;
  };
  return {
    get versions() {
      return versions;
    },
    polled,
    onRead() {
      const wasIdle = nextDelay() === IDLE_POLL_MS;
      readMs = clock.nowMs();
      if (wasIdle) run();
    },
    onWrite() {
      writtenMs = clock.nowMs();
      run();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** One server behind an old cluster that is away must not hide all others. */
function unlessMissing(error: unknown): [] {
  if (error instanceof NoDiscovery) return [];
  throw error;
}
