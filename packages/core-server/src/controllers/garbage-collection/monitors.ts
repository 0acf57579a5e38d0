import { formatGroupVersion } from '@tributary/apimachinery';
import type { KindResource } from './discover-kinds.ts';
import type { GroupHealth } from './group-health.ts';
import { REMOTE_BOUNDS } from './metadata-source.ts';
import { type Monitor, type MonitorOptions, observedKind, startMonitor } from './monitor.ts';

export interface MonitorsOptions
  extends Pick<MonitorOptions, 'client' | 'clock' | 'changes' | 'localMetadata'> {
  readonly health: Pick<GroupHealth, 'problemOf' | 'isRemote'>;
  /** Called when the graph has a resource, or waits for it no longer. */
  readonly onSynced: () => void;
  /** Called when an APIService or CustomResourceDefinition changed. */
  readonly onServingChange: () => void;
  readonly onError: (error: unknown, resource: string) => void;
  /** Called when the first list of a resource failed too often to wait for it. */
  readonly onGivenUp?: (() => void) | undefined;
}

interface WatchedResource {
  readonly resource: KindResource;
  readonly apiVersion: string;
  /** Absent while it is queued, or its server is unavailable. */
  monitor: Monitor | undefined;
  /** Whether the current watch is remote. */
  isRemote: boolean;
  /** Unchanged while its server is unavailable, because the graph keeps its objects. */
  isSynced: boolean;
  /** Consecutive failures of the first list, which is retried. */
  failures: number;
}

/** Concurrent first lists, so that they do not delay requests of clients. */
const STARTS_AT_ONCE = 4;
/** After this many failures, which take a few seconds, garbage collection no longer waits for a resource. */
const FAILURES_MAX = 3;
const SERVING_RESOURCES: ReadonlySet<string> = new Set([
  'apiservices.apiregistration.k8s.io',
  'customresourcedefinitions.apiextensions.k8s.io',
]);

/** The watches of all resources whose objects can be deleted, as far as their servers are available. */
export class Monitors {
  readonly #options: MonitorsOptions;
  readonly #watched = new Map<string, WatchedResource>();
  readonly #closing = new Set<Promise<void>>();
  #isClosed = false;

  constructor(options: MonitorsOptions) {
    this.#options = options;
  }

  /** Watches exactly these resources, except those of unavailable servers. */
  watch(resources: readonly KindResource[]): void {
    const { health } = this.#options;
    const byKey = new Map(resources.map((resource) => [keyOf(resource), resource]));
    for (const [key, entry] of this.#watched) {
      // The resources of an unavailable server are unknown: its objects stay in the graph.
      if (byKey.has(key) || health.problemOf(entry.apiVersion) !== undefined) continue;
      this.#watched.delete(key);
      this.#forget(entry);
    }
    for (const entry of this.#watched.values()) {
      const hasMoved = entry.isRemote !== health.isRemote(entry.apiVersion);
      if (hasMoved || health.problemOf(entry.apiVersion) !== undefined) this.#stop(entry);
    }
    for (const [key, resource] of byKey) {
      if (this.#watched.has(key)) continue;
      const apiVersion = formatGroupVersion(resource);
      const state = { monitor: undefined, isRemote: false, isSynced: false, failures: 0 };
      this.#watched.set(key, { resource, apiVersion, ...state });
    }
    this.#startNext();
  }

  /** Group versions with resources that the graph does not have yet, except those that cannot be listed. */
  unsynced(where: 'local' | 'remote'): readonly string[] {
    const { health } = this.#options;
    const missing = [...this.#watched.values()].filter(
      (entry) => isExpected(entry) && health.isRemote(entry.apiVersion) === (where === 'remote'),
    );
    return [...new Set(missing.map(({ apiVersion }) => apiVersion))];
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const entry of this.#watched.values()) this.#stop(entry);
    await Promise.all(this.#closing);
  }

  #startNext(): void {
    if (this.#isClosed) return;
    const { health } = this.#options;
    let free = STARTS_AT_ONCE;
    for (const entry of this.#watched.values()) {
      const isStarting = entry.monitor !== undefined && isExpected(entry);
      if (isStarting && !health.isRemote(entry.apiVersion)) free -= 1;
    }
    for (const entry of this.#watched.values()) {
      const { apiVersion, monitor } = entry;
      if (monitor !== undefined || health.problemOf(apiVersion) !== undefined) continue;
      // Remote servers may be slow, so their first lists are not counted.
      const isRemote = health.isRemote(apiVersion);
      if (!isRemote && free <= 0) continue;
      if (!isRemote) free -= 1;
      this.#start(entry);
    }
  }

  #start(entry: WatchedResource): void {
    const { health, client, clock, changes, onServingChange } = this.#options;
    const { resource } = entry;
    const isServingResource = SERVING_RESOURCES.has(`${resource.plural}.${resource.group}`);
    entry.isRemote = health.isRemote(entry.apiVersion);
    entry.monitor = startMonitor(resource, {
      ...{ client, clock, changes },
      ...(entry.isRemote
        ? { bounds: REMOTE_BOUNDS }
        : { localMetadata: this.#localMetadataOf(resource) }),
      onSynced: () => this.#synced(entry),
      ...(isServingResource && { onEvent: onServingChange }),
      onError: (error) => this.#failed(entry, error),
    });
  }

  #localMetadataOf({ group, version, plural }: KindResource): MonitorOptions['localMetadata'] {
    const { localMetadata } = this.#options;
    return localMetadata?.({ group, version, resource: plural }) && localMetadata;
  }

  #synced(entry: WatchedResource): void {
    if (entry.isSynced) return;
    entry.isSynced = true;
    this.#startNext();
    this.#options.onSynced();
  }

  #failed(entry: WatchedResource, error: unknown): void {
    const { onError, onGivenUp, onSynced } = this.#options;
    onError(error, `${entry.resource.plural}.${entry.apiVersion}`);
    entry.failures += 1;
    if (entry.isSynced || entry.failures !== FAILURES_MAX) return;
    onGivenUp?.();
    this.#startNext();
    onSynced();
  }

  #stop(entry: WatchedResource): void {
    const closed = entry.monitor?.close();
    entry.monitor = undefined;
    entry.failures = 0;
    if (closed === undefined) return;
    this.#closing.add(closed);
    void closed.finally(() => this.#closing.delete(closed));
  }

  #forget(entry: WatchedResource): void {
    this.#stop(entry);
    this.#options.changes.push({ type: 'forgotten', kind: observedKind(entry.resource) });
  }
}

/** Not in the graph, but expected soon or when its server is available. */
function isExpected({ isSynced, failures }: WatchedResource): boolean {
  return !isSynced && failures < FAILURES_MAX;
}

function keyOf({ group, version, plural, namespaced, kind }: KindResource): string {
  return [group, version, plural, kind, namespaced].join(' ');
}
