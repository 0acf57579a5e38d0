import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { CacheMemory } from '../../watch-cache/watch-caches.ts';
import { uncaughtErrorsCounter } from '../uncaught-errors.ts';
import { CounterFamily, GaugeFamily, type Value } from './family.ts';
import { processMetrics } from './process-metrics.ts';
import type { MetricsRegistry } from './registry.ts';

interface SystemSources {
  readonly memory: () => CacheMemory;
  readonly inFlight: SeatFigures;
  /** Log lines that were dropped. */
  readonly logLinesDropped: () => number;
  /** Counted by the program, if it catches them. */
  readonly uncaughtErrors?: CounterFamily | undefined;
}

export interface SystemMetrics {
  readonly handshakeErrors: Value;
  /** Ends the measurements. */
  close(): void;
}

/** Metrics of memory and load. */
export function systemMetrics(registry: MetricsRegistry, sources: SystemSources): SystemMetrics {
  queueGauges(registry, sources.inFlight);
  cacheGauges(registry, sources.memory);
  const dropped = registry.add(
    new CounterFamily({
      name: 'tributary_log_lines_dropped_total',
      help: 'Log lines dropped because the buffer was full',
    }),
  );
  registry.onCollect(() => dropped.with().set(sources.logLinesDropped()));
  registry.add(sources.uncaughtErrors ?? uncaughtErrorsCounter());
  const handshakeErrors = registry
    .add(
      new CounterFamily({
        name: 'apiserver_tls_handshake_errors_total',
        help: 'Failed TLS handshakes',
      }),
    )
    .with();
  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
  delay.enable();
  delayGauges(registry, delay);
  const endProcessMetrics = processMetrics(registry);
  return {
    handshakeErrors,
    close() {
      delay.disable();
      endProcessMetrics();
    },
  };
}

const DELAY_RESOLUTION_MS = 20;
const QUANTILES = [0.5, 0.9, 0.99, 1];

function delayGauges(
  registry: MetricsRegistry,
  delay: ReturnType<typeof monitorEventLoopDelay>,
): void {
  const gauges = registry.add(
    new GaugeFamily({
      name: 'tributary_event_loop_delay_seconds',
      help: 'Delay of the event loop since the last scrape',
      labelNames: ['quantile'],
    }),
  );
  registry.onCollect(() => {
    for (const quantile of QUANTILES) {
      const nanoseconds = quantile === 1 ? delay.max : delay.percentile(quantile * 100);
      // The delay of a timer is at least its period.
      const seconds = Math.max(nanoseconds / 1e9 - DELAY_RESOLUTION_MS / 1000, 0);
      gauges.with(String(quantile)).set(seconds);
    }
    delay.reset();
  });
}

function queueGauges(registry: MetricsRegistry, { readOnly, mutating }: SeatFigures): void {
  const labelNames = ['request_kind'];
  const served = registry.add(
    new GaugeFamily({
      name: 'apiserver_current_inflight_requests',
      help: 'Maximum number of requests in flight since the last scrape',
      labelNames,
    }),
  );
  const waiting = registry.add(
    new GaugeFamily({
      name: 'apiserver_current_inqueue_requests',
      help: 'Maximum number of queued requests since the last scrape',
      labelNames,
    }),
  );
  registry.onCollect(() => {
    for (const [kind, queue] of Object.entries({ readOnly, mutating })) {
      const peaks = queue.peaks();
      served.with(kind).set(peaks.taken);
      waiting.with(kind).set(peaks.waiting);
    }
  });
}

const CACHE_GAUGES = [
  {
    name: 'object_bytes',
    help: 'Bytes of cached objects with their indexes',
    value: ({ objectBytes }: CacheMemory) => objectBytes,
  },
  {
    name: 'history_bytes',
    help: 'Bytes of past events, from which watches resume',
    value: ({ historyBytes }: CacheMemory) => historyBytes,
  },
  {
    name: 'derived_bytes',
    help: 'Bytes of decoded objects and other representations, which are evicted first',
    value: ({ derivedBytes }: CacheMemory) => derivedBytes,
  },
  {
    name: 'bytes_max',
    help: 'Limit of the memory of watch caches',
    value: ({ bytesMax }: CacheMemory) => bytesMax,
  },
  { name: 'watchers', help: 'Open watches', value: ({ watchers }: CacheMemory) => watchers },
];

function cacheGauges(registry: MetricsRegistry, memory: () => CacheMemory): void {
  const totals = CACHE_GAUGES.map(({ name, help, value }) => ({
    gauge: registry.add(new GaugeFamily({ name: `tributary_watch_cache_${name}`, help })),
    value,
  }));
  const prefixes = registry.add(
    new GaugeFamily({
      name: 'tributary_watch_cache_objects',
      help: 'Cached objects by resource',
      labelNames: ['prefix'],
    }),
  );
  const storageObjects = registry.add(
    new GaugeFamily({
      name: 'apiserver_storage_objects',
      help: 'Stored objects by resource; superseded by apiserver_resource_objects',
      labelNames: ['resource'],
    }),
  );
  const resourceObjects = registry.add(
    new GaugeFamily({
      name: 'apiserver_resource_objects',
      help: 'Stored objects by group and resource',
      labelNames: ['group', 'resource'],
    }),
  );
  registry.onCollect(() => {
    const now = memory();
    for (const { gauge, value } of totals) gauge.with().set(value(now));
    for (const family of [prefixes, storageObjects, resourceObjects]) family.reset();
    for (const { prefix, objects, ready } of now.resources) {
      prefixes.with(prefix).set(objects);
      const { group, resource } = groupResourceOf(prefix);
      // The count of an uninitialized cache is unknown, which upstream reports as -1.
      const count = ready ? objects : -1;
      storageObjects.with(group === '' ? resource : `${resource}.${group}`).set(count);
      resourceObjects.with(group, resource).set(count);
    }
  });
}

/** Parses a key prefix `/registry/GROUP/RESOURCE/`. */
export function groupResourceOf(key: string): { group: string; resource: string } {
  const [, , group = '', resource = ''] = key.split('/');
  return { group, resource };
}

/** The maximum numbers of concurrent requests since the last call. */
export interface SeatFigures {
  readonly readOnly: PeakSource;
  readonly mutating: PeakSource;
}

interface PeakSource {
  peaks(): { taken: number; waiting: number };
}
