import type { Change, CommitResult, ListOptions, ReadOptions, Storage } from '@tributary/storage';
import { ABSENT } from '@tributary/storage';
import { HistogramFamily } from './family.ts';
import type { MetricsRegistry } from './registry.ts';
import { groupResourceOf } from './system-metrics.ts';

const BUCKETS = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45,
  60,
];

/** Measures the latency of storage, with the metrics that operators know from etcd. */
export function measuredStorage(storage: Storage, registry: MetricsRegistry): Storage {
  const durations = registry.add(
    new HistogramFamily({
      name: 'etcd_request_duration_seconds',
      help: 'Latency of storage requests, for every engine',
      labelNames: ['operation', 'group', 'resource'],
      buckets: BUCKETS,
    }),
  );
  async function measure<T>(operation: string, key: string, run: () => Promise<T>): Promise<T> {
    const startMs = performance.now();
    try {
      return await run();
    } finally {
      const { group, resource } = groupResourceOf(key);
      durations.with(operation, group, resource).observe((performance.now() - startMs) / 1000);
    }
  }
  return {
    get: (key: string, options?: ReadOptions) =>
      measure('get', key, () => storage.get(key, options)),
    list: (prefix: string, options?: ListOptions) =>
      measure('list', prefix, () => storage.list(prefix, options)),
    commit: (change: Change): Promise<CommitResult> =>
      measure(operationOf(change), change.writes[0]?.key ?? '', () => storage.commit(change)),
    count: (prefix, options) => storage.count(prefix, options),
    feed: (after, options) => storage.feed(after, options),
    currentRevision: (options) => storage.currentRevision(options),
    acknowledgedRevision: () => storage.acknowledgedRevision?.(),
    compactedRevision: () => storage.compactedRevision?.(),
    ...(storage.checkWritable && {
      checkWritable: (options?: ReadOptions) =>
        storage.checkWritable?.(options) ?? Promise.resolve(),
    }),
    compact: (revision, options) => storage.compact(revision, options),
    stats: (options) => storage.stats(options),
    whenFailed: () => storage.whenFailed?.() ?? new Promise(() => {}),
    close: () => storage.close(),
    [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
  };
}

function operationOf({ require, writes }: Change): string {
  const [first] = writes;
  if (first === undefined || first.kind === 'delete') return 'delete';
  const isNew = require.some(({ key, revision }) => key === first.key && revision === ABSENT);
  return isNew ? 'create' : 'update';
}
