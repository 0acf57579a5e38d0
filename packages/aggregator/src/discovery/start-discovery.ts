import type { Clock } from '@tributary/client';
import type { HealthCheck } from '@tributary/server';
import type { MetricsRegistry } from '@tributary/server/operations';
import { indexBytes, indexPaths, type Route } from '@tributary/server/routing';
import { aggregationCounter } from './aggregation-counter.ts';
import { type DiscoveryPages, discoveryPages } from './discovery-pages.ts';
import { discoveryRoute } from './discovery-route.ts';
import { type LocalVersionsOptions, localVersions } from './local-versions.ts';
import { mergeGroups, type OfferedVersion } from './merge-groups.ts';
import {
  type RemoteVersion,
  type RemoteVersionsOptions,
  remoteVersions,
} from './remote-versions.ts';

export interface DiscoveryOptions
  extends Omit<RemoteVersionsOptions, 'changed' | 'unavailable' | 'keepCurrentMs'>,
    LocalVersionsOptions {
  readonly registrations: RemoteVersionsOptions['registrations'];
  /** Proxies a request to its backend. */
  readonly proxy: Route;
  /** Default: `keep`. */
  readonly unavailable?: RemoteVersionsOptions['unavailable'];
  /** Default: a day. */
  readonly keepCurrentMs?: number;
  /** Additional group versions, such as those of the cluster behind a stand-alone aggregator. */
  readonly moreVersions?: () => readonly OfferedVersion[];
  /** More paths for the index. */
  readonly morePaths?: () => readonly string[];
}

export interface Discovery extends AsyncDisposable {
  /** Precedes the routes of the proxy and of the server itself. */
  readonly route: Route;
  /**
   * Resolves when stored documents are read and every registration is listed, without waiting for a backend. Never
   * rejects.
   */
  readonly ready: Promise<void>;
  readonly healthCheck: HealthCheck;
  registerMetrics(registry: MetricsRegistry): void;
  /** `localApis`, `localPriorities`, `moreVersions` or `morePaths` return another value now. */
  localChanged(): void;
  /** Notifies of changes; may notify without one. */
  onChange(listener: () => void): () => void;
  /** The last document of a registration's backend. By name. */
  remoteVersion(name: string): RemoteVersion | undefined;
  close(): Promise<void>;
}

const KEEP_CURRENT_MS = 24 * 60 * 60_000;
/** Delays the merge, so that changes in a row share one. An earlier request merges at once. */
const PREPARE_DELAY_MS = 100;

export function startDiscovery(options: DiscoveryOptions): Discovery {
  const { registrations, availability, clock, log } = options;
  const { unavailable = 'keep', keepCurrentMs = KEEP_CURRENT_MS } = options;
  const listeners = new Set<() => void>();
  const made = aggregationCounter();
  const local = localVersions(options);
  const current = cachedUntilChanged(clock, () => {
    made.with().add();
    const versions = [
      ...local(),
      ...remote.list().map(offered),
      ...(options.moreVersions?.() ?? []),
    ];
    const pages = discoveryPages(mergeGroups(versions));
    const paths = [
      ...indexPaths(options.localApis()),
      ...pages.paths,
      ...(options.morePaths?.() ?? []),
    ];
    return { pages, index: indexBytes(paths) };
  });
  const changed = () => {
    current.drop();
    for (const listener of listeners) listener();
  };
  const remote = remoteVersions({ ...options, unavailable, keepCurrentMs, changed });
  let isReady = false;
  const ready = remote.start().then(
    () => {
      isReady = true;
      changed();
    },
    (error: unknown) => log.error(error, 'Starting discovery failed'),
  );
  const close = async () => {
    current.close();
    await ready;
    await remote.close();
  };
  return {
    route: discoveryRoute({
      pages: () => current.get().pages,
      index: () => current.get().index,
      registrations,
      availability,
      remote,
      proxy: options.proxy,
      clock,
    }),
    ready,
    healthCheck: {
      name: 'poststarthook/apiservice-discovery-controller',
      endpoints: ['healthz', 'livez', 'readyz'],
      check: () => (isReady ? undefined : 'not finished'),
    },
    registerMetrics: (registry) => void registry.add(made),
    localChanged: changed,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    remoteVersion: (name) => remote.get(name),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function offered({ registration, document, freshness }: RemoteVersion): OfferedVersion {
  const { group, version } = registration;
  return {
    group,
    version,
    source: 'remote',
    priority: registration,
    resources: document?.json ?? '[]',
    freshness,
  };
}

interface Made {
  readonly pages: DiscoveryPages;
  readonly index: Uint8Array;
}

/** A value made at the first read, or a little after a change, whichever comes first. */
function cachedUntilChanged(clock: Clock, make: () => Made) {
  let made: Made | undefined;
  let cancelTimer: (() => void) | undefined;
  const get = () => {
    made ??= make();
    return made;
  };
  return {
    get,
    drop() {
      const isWanted = made !== undefined; // without a read, there is nothing to prepare
      made = undefined;
      if (!isWanted || cancelTimer !== undefined) return;
      cancelTimer = clock.schedule(PREPARE_DELAY_MS, () => {
        cancelTimer = undefined;
        get();
      });
    },
    close: () => cancelTimer?.(),
  };
}
