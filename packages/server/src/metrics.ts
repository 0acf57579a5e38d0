import type { Registry } from 'prom-client';
import type { Route } from './router.ts';
import type { CacheMemory, WatchCaches } from './watch-cache/watch-caches.ts';

/** `/metrics` in the Prometheus format. The library is loaded when somebody asks for the first time. */
export function metricsRoute(caches: WatchCaches): Route {
  let registry: Promise<Registry> | undefined;
  return async ({ path, method }) => {
    if (path !== '/metrics' || method !== 'GET') return undefined;
    registry ??= buildRegistry(() => caches.memory());
    const { contentType, metrics } = await scrape(await registry);
    return { kind: 'bytes', code: 200, contentType, chunks: [Buffer.from(metrics)] };
  };
}

async function scrape(registry: Registry): Promise<{ contentType: string; metrics: string }> {
  return { contentType: registry.contentType, metrics: await registry.metrics() };
}

interface CacheGauge {
  readonly name: string;
  readonly help: string;
  readonly value: (memory: CacheMemory) => number;
}

const cacheGauges: readonly CacheGauge[] = [
  {
    name: 'object_bytes',
    help: 'Bytes of cached objects with their indexes',
    value: ({ objectBytes }) => objectBytes,
  },
  {
    name: 'history_bytes',
    help: 'Bytes kept only so that watches can be resumed',
    value: ({ historyBytes }) => historyBytes,
  },
  {
    name: 'derived_bytes',
    help: 'Bytes of parsed objects and other representations, which go first when memory is short',
    value: ({ derivedBytes }) => derivedBytes,
  },
  {
    name: 'bytes_max',
    help: 'The bound on all of these together',
    value: ({ bytesMax }) => bytesMax,
  },
  { name: 'watchers', help: 'Open watches', value: ({ watchers }) => watchers },
];

async function buildRegistry(memory: () => CacheMemory): Promise<Registry> {
  const { collectDefaultMetrics, Gauge, Registry } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  for (const { name, help, value } of cacheGauges) {
    new Gauge({
      name: `tributary_watch_cache_${name}`,
      help,
      registers,
      collect() {
        this.set(value(memory()));
      },
    });
  }
  new Gauge({
    name: 'tributary_watch_cache_objects',
    help: 'Cached objects by resource',
    labelNames: ['prefix'],
    registers,
    collect() {
      this.reset();
      for (const { prefix, objects } of memory().resources) this.set({ prefix }, objects);
    },
  });
  return registry;
}
