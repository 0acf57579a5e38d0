/** Metrics of the process, with the names that Go programs and Node programs commonly use; read when metrics are collected. */
import { readdirSync, readFileSync } from 'node:fs';
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics } from 'node:v8';
import { CounterFamily, GaugeFamily, HistogramFamily } from './family.ts';
import type { MetricsRegistry } from './registry.ts';

/** Returns a function that ends the observation of garbage collections. */
export function processMetrics(registry: MetricsRegistry): () => void {
  cpuMetrics(registry);
  memoryMetrics(registry);
  heapMetrics(registry);
  fileDescriptorMetrics(registry);
  const active = gauge(
    registry,
    'nodejs_active_resources',
    'Resources that keep the event loop alive, by type',
    ['type'],
  );
  registry.onCollect(() => {
    active.reset();
    for (const type of process.getActiveResourcesInfo()) active.with(type).add();
  });
  gauge(
    registry,
    'process_start_time_seconds',
    'Start time of the process, in seconds since the Unix epoch',
  )
    .with()
    .set(Math.round(performance.timeOrigin) / 1000);
  gauge(registry, 'nodejs_version_info', 'Version of Node.js', ['version'])
    .with(process.version)
    .set(1);
  return garbageCollectionMetrics(registry);
}

function gauge(
  registry: MetricsRegistry,
  name: string,
  help: string,
  labelNames: readonly string[] = [],
): GaugeFamily {
  return registry.add(new GaugeFamily({ name, help, labelNames }));
}

function cpuMetrics(registry: MetricsRegistry): void {
  const counter = (name: string, help: string) =>
    registry.add(new CounterFamily({ name, help })).with();
  const user = counter('process_cpu_user_seconds_total', 'CPU time of the process in user mode');
  const system = counter(
    'process_cpu_system_seconds_total',
    'CPU time of the process in the kernel',
  );
  const total = counter('process_cpu_seconds_total', 'CPU time of the process');
  registry.onCollect(() => {
    const usage = process.cpuUsage();
    user.set(usage.user / 1e6);
    system.set(usage.system / 1e6);
    total.set((usage.user + usage.system) / 1e6);
  });
}

function memoryMetrics(registry: MetricsRegistry): void {
  const resident = gauge(
    registry,
    'process_resident_memory_bytes',
    'Resident memory of the process',
  ).with();
  const virtual = gauge(
    registry,
    'process_virtual_memory_bytes',
    'Virtual memory of the process',
  ).with();
  registry.onCollect(() => {
    resident.set(process.memoryUsage.rss());
    const pages = readProc('statm')?.split(' ')[0];
    if (pages !== undefined) virtual.set(Number(pages) * PAGE_BYTES);
  });
}

/** The page size of all Linux platforms that Node supports. */
const PAGE_BYTES = 4096;

function heapMetrics(registry: MetricsRegistry): void {
  const total = gauge(
    registry,
    'nodejs_heap_size_total_bytes',
    'Size of the JavaScript heap',
  ).with();
  const used = gauge(
    registry,
    'nodejs_heap_size_used_bytes',
    'Used bytes of the JavaScript heap',
  ).with();
  const external = gauge(
    registry,
    'nodejs_external_memory_bytes',
    'Memory outside of the JavaScript heap',
  ).with();
  const space = (part: string) =>
    gauge(registry, `nodejs_heap_space_size_${part}_bytes`, `Heap spaces: ${part} bytes`, [
      'space',
    ]);
  const spaces = { total: space('total'), used: space('used'), available: space('available') };
  registry.onCollect(() => {
    const memory = process.memoryUsage();
    total.set(memory.heapTotal);
    used.set(memory.heapUsed);
    external.set(memory.external);
    for (const one of getHeapSpaceStatistics()) {
      const name = one.space_name.replace(/_space$/, '');
      spaces.total.with(name).set(one.space_size);
      spaces.used.with(name).set(one.space_used_size);
      spaces.available.with(name).set(one.space_available_size);
    }
  });
}

function fileDescriptorMetrics(registry: MetricsRegistry): void {
  const open = gauge(registry, 'process_open_fds', 'Open file descriptors').with();
  const max = gauge(registry, 'process_max_fds', 'Limit of open file descriptors').with();
  registry.onCollect(() => {
    const limit = /^Max open files\s+(\d+)/m.exec(readProc('limits') ?? '')?.[1];
    if (limit === undefined) return;
    max.set(Number(limit));
    open.set(readdirSync('/proc/self/fd').length - 1); // Reading the directory opens it, too.
  });
}

/** Undefined without /proc: those metrics stay 0. */
function readProc(file: string): string | undefined {
  try {
    return readFileSync(`/proc/self/${file}`, 'latin1');
  } catch {
    return undefined;
  }
}

/** A performance entry of the type `gc`. */
type GarbageCollection = PerformanceEntry & { readonly detail: { readonly kind: number } };

const COLLECTIONS: ReadonlyMap<number, string> = new Map([
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weakcb'],
]);

function garbageCollectionMetrics(registry: MetricsRegistry): () => void {
  const durations = registry.add(
    new HistogramFamily({
      name: 'nodejs_gc_duration_seconds',
      help: 'Duration of garbage collections by kind',
      labelNames: ['kind'],
      buckets: [0.001, 0.01, 0.1, 1, 2, 5],
    }),
  );
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as GarbageCollection[]) {
      const kind = COLLECTIONS.get(entry.detail.kind);
      if (kind !== undefined) durations.with(kind).observe(entry.duration / 1000);
    }
  });
  let isObserving = false;
  // The observer starts at the first scrape, because it has a cost.
  registry.onCollect(() => {
    if (!isObserving) observer.observe({ entryTypes: ['gc'] });
    isObserving = true;
  });
  return () => observer.disconnect();
}
