import type { WatchCacheMetrics } from '../../watch-cache/metrics.ts';
import { CounterFamily } from './family.ts';
import type { MetricsRegistry } from './registry.ts';
import { groupResourceOf } from './system-metrics.ts';

/** Metrics of events in the watch caches. */
export function watchCacheMetrics(
  registry: MetricsRegistry,
  reportBug: (error: unknown) => void,
): WatchCacheMetrics {
  const labelNames = ['group', 'resource'];
  const filled = registry.add(
    new CounterFamily({
      name: 'apiserver_watch_cache_initializations_total',
      help: 'Initializations of watch caches from storage',
      labelNames,
    }),
  );
  const initEvents = registry.add(
    new CounterFamily({
      name: 'apiserver_init_events_total',
      help: 'Objects read to initialize watch caches',
      labelNames,
    }),
  );
  const dropped = registry.add(
    new CounterFamily({
      name: 'tributary_watch_cache_dropped_total',
      help: 'Evictions of a whole resource from the watch cache',
      labelNames,
    }),
  );
  const ended = registry.add(
    new CounterFamily({
      name: 'tributary_watches_ended_total',
      help: 'Ended watches, by reason',
      labelNames: ['reason'],
    }),
  );
  const failures = registry
    .add(
      new CounterFamily({
        name: 'tributary_watch_cache_feed_failures_total',
        help: 'Failures of the feed of changes, which restarts by itself',
      }),
    )
    .with();
  const of = (family: CounterFamily, prefix: string) => {
    const { group, resource } = groupResourceOf(prefix);
    return family.with(group, resource);
  };
  return {
    watchEnded: (reason) => ended.with(reason).add(),
    feedFailed(error) {
      failures.add();
      reportBug(error);
    },
    filled(prefix, { objects }) {
      of(filled, prefix).add();
      of(initEvents, prefix).add(objects);
    },
    fillFailed: (_prefix, error) => reportBug(error),
    dropped: (prefix) => of(dropped, prefix).add(),
  };
}
