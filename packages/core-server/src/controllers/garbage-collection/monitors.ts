import { formatGroupVersion } from '@tributary/apimachinery';
import type { KindResource } from './discover-kinds.ts';
import type { GroupHealth } from './group-health.ts';
import { REMOTE_BOUNDS } from './metadata-source.ts';
import { type Monitor, type MonitorOptions, observedKind, startMonitor } from './monitor.ts';

/** The watches of everything that can be deleted, as far as its servers can be asked. */
export interface Monitors {
  /** From now on these are watched, and no others, of servers that can be asked. */
  follow(resources: readonly KindResource[]): void;
  /**
   * The group versions with something that the graph does not have yet, of this server or of others. What cannot be
   * listed although its server is there is nothing to wait for.
   */
  unsynced(where: 'here' | 'elsewhere'): readonly string[];
  close(): Promise<void>;
}

export interface MonitorsOptions
  extends Pick<MonitorOptions, 'client' | 'clock' | 'changes' | 'ownMetadata'> {
  readonly health: Pick<GroupHealth, 'problemOf' | 'isRemote'>;
  /** Told when a resource came to be in the graph, or nobody waits for it any more. */
  readonly onSynced: () => void;
  /** An object came, changed or went that decides about what is served. */
  readonly onServingChange: () => void;
  readonly onError: (error: unknown, resource: string) => void;
  /** Nobody waits any more for the first list of a resource. */
  readonly onGivenUp?: (() => void) | undefined;
}

interface Followed {
  readonly resource: KindResource;
  readonly apiVersion: string;
  /** Absent while it waits for its turn, or its server is away. */
  monitor: Monitor | undefined;
  /** Where it is watched. */
  isRemote: boolean;
  /** Stays so while its server is away: the graph keeps what it was told. */
  isSynced: boolean;
  /** Of the first list, in a row. It goes on trying. */
  failures: number;
}

/** First lists at the same time, so that they do not stand in the way of whoever asks meanwhile. */
const STARTS_AT_ONCE = 4;
/** After so many, which take a few seconds, nobody waits any more. */
const FAILURES_MAX = 3;
const SERVING_RESOURCES: ReadonlySet<string> = new Set([
  'apiservices.apiregistration.k8s.io',
  'customresourcedefinitions.apiextensions.k8s.io',
]);

export function monitors(options: MonitorsOptions): Monitors {
  const { health, onSynced, onServingChange, onError, onGivenUp, ...given } = options;
  const { ownMetadata, ...parts } = given;
  const followed = new Map<string, Followed>();
  const closing = new Set<Promise<void>>();
  let isClosed = false;

  const open = (entry: Followed) => {
    const { resource } = entry;
    const decides = SERVING_RESOURCES.has(`${resource.plural}.${resource.group}`);
    entry.isRemote = health.isRemote(entry.apiVersion);
    entry.monitor = startMonitor(resource, {
      ...parts,
      ...(entry.isRemote ? { bounds: REMOTE_BOUNDS } : { ownMetadata: ownOf(resource) }),
      onSynced: () => {
        if (entry.isSynced) return;
        entry.isSynced = true;
        startNext();
        onSynced();
      },
      ...(decides && { onEvent: onServingChange }),
      onError: (error) => {
        onError(error, `${resource.plural}.${entry.apiVersion}`);
        entry.failures += 1;
        if (entry.isSynced || entry.failures !== FAILURES_MAX) return;
        onGivenUp?.();
        startNext();
        onSynced();
      },
    });
  };
  const ownOf = ({ group, version, plural }: KindResource) =>
    ownMetadata?.({ group, version, resource: plural }) && ownMetadata;
  const shut = (entry: Followed) => {
    const closed = entry.monitor?.close();
    entry.monitor = undefined;
    entry.failures = 0;
    if (closed === undefined) return;
    closing.add(closed);
    void closed.finally(() => closing.delete(closed));
  };
  const startNext = () => {
    if (isClosed) return;
    let places = STARTS_AT_ONCE;
    for (const entry of followed.values()) {
      const isStarting = entry.monitor !== undefined && isExpected(entry);
      if (isStarting && !health.isRemote(entry.apiVersion)) places -= 1;
    }
    for (const entry of followed.values()) {
      const { apiVersion, monitor } = entry;
      if (monitor !== undefined || health.problemOf(apiVersion) !== undefined) continue;
      // Others answer when they like: nobody waits in line behind them.
      const isRemote = health.isRemote(apiVersion);
      if (!isRemote && places <= 0) continue;
      if (!isRemote) places -= 1;
      open(entry);
    }
  };
  const forget = (entry: Followed) => {
    shut(entry);
    parts.changes.push({ type: 'forgotten', kind: observedKind(entry.resource) });
  };
  return {
    follow(resources) {
      const wanted = new Map(resources.map((resource) => [keyOf(resource), resource]));
      for (const [key, entry] of followed) {
        // Of a server that is away it is not known what it serves: its objects stay in the graph.
        if (wanted.has(key) || health.problemOf(entry.apiVersion) !== undefined) continue;
        followed.delete(key);
        forget(entry);
      }
      for (const entry of followed.values()) {
        const isElsewhere = entry.isRemote !== health.isRemote(entry.apiVersion);
        if (isElsewhere || health.problemOf(entry.apiVersion) !== undefined) shut(entry);
      }
      for (const [key, resource] of wanted) {
        if (followed.has(key)) continue;
        const apiVersion = formatGroupVersion(resource);
        const state = { monitor: undefined, isRemote: false, isSynced: false, failures: 0 };
        followed.set(key, { resource, apiVersion, ...state });
      }
      startNext();
    },
    unsynced(where) {
      const missing = [...followed.values()].filter(
        (entry) =>
          isExpected(entry) && health.isRemote(entry.apiVersion) === (where === 'elsewhere'),
      );
      return [...new Set(missing.map(({ apiVersion }) => apiVersion))];
    },
    async close() {
      isClosed = true;
      for (const entry of followed.values()) shut(entry);
      await Promise.all(closing);
    },
  };
}

/** It is not in the graph, and will be soon, or when its server is back. */
function isExpected({ isSynced, failures }: Followed): boolean {
  return !isSynced && failures < FAILURES_MAX;
}

function keyOf({ group, version, plural, namespaced, kind }: KindResource): string {
  return [group, version, plural, kind, namespaced].join(' ');
}
