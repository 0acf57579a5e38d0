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
  /** What it serves is another now. */
  readonly changed: () => void;
}

/** What the cluster serves, as it last said it; it stays when the cluster is away. */
export interface ClusterDiscovery extends AsyncDisposable {
  readonly versions: readonly OfferedVersion[];
  /** When it was asked once, successfully or not. */
  readonly asked: Promise<void>;
  /** Somebody looks: it is asked more often for a while. */
  looked(): void;
  /** Something was written there that may change it. */
  written(): void;
  close(): Promise<void>;
}

/** Nothing is sent but a tag, and nothing comes back, unless there is something new. */
const LOOKED_AT_EVERY_MS = 2_000;
const IDLE_EVERY_MS = 60_000;
const LOOKED_AT_MS = 30_000;
/** A new kind takes the cluster a moment. */
const WRITTEN_EVERY_MS = 200;
const WRITTEN_MS = 3_000;
/** Of the lists of an old cluster, which has one for each group version. */
const LISTS_AT_ONCE = 8;

export function followClusterDiscovery(options: ClusterDiscoveryOptions): ClusterDiscovery {
  const { cluster, clock, log } = options;
  const closing = new AbortController();
  const asking = { backend: cluster, clock, signal: closing.signal };
  let known: { readonly etag: string | undefined; readonly text: string } | undefined;
  let versions: readonly OfferedVersion[] = [];
  let complaint = '';
  let lookedMs = Number.NEGATIVE_INFINITY;
  let writtenMs = Number.NEGATIVE_INFINITY;
  let cancelTimer = () => {};
  let round: Promise<void> | undefined;

  const learn = (served: VersionResources, etag: string | undefined): void => {
    const offered = clusterVersions(served);
    const text = JSON.stringify(offered);
    const isSame = text === known?.text;
    known = { etag, text };
    if (isSame) return;
    versions = offered;
    options.changed();
  };
  const ask = async (): Promise<void> => {
    const answer = await fetchAggregated(asking, known?.etag);
    if (answer.outcome === 'document') learn(answer.versions, answer.etag);
    // Clusters before 1.26, where every list is asked for: that is rarely enough.
    else if (answer.outcome === 'unknown') learn(await fetchLists(), undefined);
  };
  const fetchLists = async (): Promise<VersionResources> => {
    const groupVersions = await fetchGroupVersions(asking);
    const lists = new Map<string, readonly APIResourceDiscovery[]>();
    for (const one of groupVersions) lists.set(formatGroupVersion(one), []);
    for (let at = 0; at < groupVersions.length; at += LISTS_AT_ONCE) {
      const some = groupVersions.slice(at, at + LISTS_AT_ONCE);
      await Promise.all(
        some.map(async (one) => {
          const list = await fetchLegacy(asking, one).catch(unlessMissing);
          lists.set(formatGroupVersion(one), fromLegacy(list));
        }),
      );
    }
    return lists;
  };
  const askOnce = async (): Promise<void> => {
    let problem = '';
    try {
      await ask();
    } catch (error) {
      if (closing.signal.aborted) return;
      problem = error instanceof Error ? error.message : String(error);
      if (problem !== complaint) log.error(error, 'The cluster does not tell what it serves');
    }
    complaint = problem;
  };
  const run = (): void => {
    cancelTimer();
    round ??= askOnce().finally(() => {
      round = undefined;
      if (!closing.signal.aborted) cancelTimer = clock.schedule(delay(), run);
    });
  };
  const delay = (): number => {
    const nowMs = clock.nowMs();
    if (nowMs - writtenMs < WRITTEN_MS) return WRITTEN_EVERY_MS;
    return nowMs - lookedMs < LOOKED_AT_MS ? LOOKED_AT_EVERY_MS : IDLE_EVERY_MS;
  };
  run();
  const asked = round ?? Promise.resolve();
  const close = async (): Promise<void> => {
    closing.abort(new Error('the aggregator is stopping'));
    cancelTimer();
    await round;
  };
  return {
    get versions() {
      return versions;
    },
    asked,
    looked() {
      const wasIdle = delay() === IDLE_EVERY_MS;
      lookedMs = clock.nowMs();
      if (wasIdle) run();
    },
    written() {
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
