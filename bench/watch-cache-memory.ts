/**
 * The resident memory of a cached 1 KB object. Budget: 2.5 KB.
 *
 * The store behind the cache generates its objects and holds none, so that the process grows by the cache alone. A
 * first resource is filled before the measurement: it grows the collector's young generation and the allocator's
 * arenas to their working size, which is a cost per process and not per object. Usage: node
 * bench/watch-cache-memory.ts [objects]
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Page, Revision, Storage, Stored } from '@tributary/storage';
import { openWatchCaches } from '../packages/server/src/watch-cache/watch-caches.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const count = Number(process.argv[2] ?? 200_000);
const warmUpCount = 50_000;
const head = '{"kind":"Widget","apiVersion":"example.com/v1","metadata":{';
const widgets = { prefix: '/registry/example.com/widgets/', head: Buffer.from(head) };
const warmUp = { prefix: '/registry/example.com/warm-up/', head: Buffer.from(head) };

function stored(prefix: string, index: number): Stored {
  const id = String(index).padStart(7, '0');
  const namespace = `namespace-${index % 100}`;
  const name = `widget-${id}`;
  const metadata = {
    name,
    namespace,
    uid: `0f6a3c1e-7c1d-4c3f-9f55-5c4f1${id}`,
    generation: 1,
    creationTimestamp: '2025-11-15T21:00:00Z',
    labels: { app: `app-${index % 50}`, tier: index % 2 ? 'front' : 'back', 'example.com/id': id },
    managedFields: [
      {
        manager: 'kubectl-create',
        operation: 'Update',
        apiVersion: 'example.com/v1',
        time: '2025-11-15T21:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:metadata': { 'f:labels': { '.': {}, 'f:app': {}, 'f:tier': {} } },
          'f:spec': { 'f:size': {} },
        },
      },
    ],
  };
  const text = `${head}${JSON.stringify(metadata).slice(1)},"spec":{"size":${index},"text":"`;
  const value = Buffer.from(`${text}${'x'.repeat(1024 - text.length - 3)}"}}`);
  return { key: `${prefix}${namespace}/${name}`, value, revision: (index + 2) as Revision };
}

/** In key order: all objects of one namespace, then all objects of the next. */
function indexAt(position: number, total: number): number {
  const perNamespace = total / 100;
  const namespace = Math.floor(position / perNamespace);
  return Math.floor(position % perNamespace) * 100 + Number(namespaces[namespace]);
}

const namespaces = Array.from({ length: 100 }, (_, n) => `${n}`).sort();
const revision = (count + warmUpCount) as Revision;
const positions = new Map<string, number>();
const storage = {
  currentRevision: async () => revision,
  list: async (prefix: string, { limit = count } = {}): Promise<Page> => {
    const total = prefix === warmUp.prefix ? warmUpCount : count;
    const start = positions.get(prefix) ?? 0;
    const end = Math.min(start + limit, total);
    positions.set(prefix, end);
    const items: Stored[] = [];
    for (let at = start; at < end; at += 1) items.push(stored(prefix, indexAt(at, total)));
    return { revision, items, remaining: total - end };
  },
  async *feed(_after: Revision, { signal }: { signal: AbortSignal }) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  },
} as unknown as Storage;

function residentBytes(): number {
  for (let round = 0; round < 5; round += 1) collectGarbage();
  return process.memoryUsage.rss();
}

const caches = openWatchCaches(storage, { limits: { readyWaitMs: 600_000, bytesMax: 2 ** 40 } });
const { signal } = new AbortController();
const startBytes = residentBytes();
await caches.cache(warmUp).ready({ signal });
const before = residentBytes();
console.log(
  `the first ${warmUpCount} objects: ${((before - startBytes) / warmUpCount).toFixed(0)} B each, with the fixed cost of the process`,
);

function report(what: string): void {
  const bytes = (residentBytes() - before) / count;
  console.log(`${what.padEnd(34)} ${bytes.toFixed(0).padStart(6)} B resident per object`);
}

const cache = caches.cache(widgets);
console.log(`then ${count} objects of ${stored(widgets.prefix, 0).value.length} B`);
const startMs = performance.now();
await cache.ready({ signal });
console.log(`filled in ${(performance.now() - startMs).toFixed(0)} ms`);
report('filled');

const matches = ({ labels }: { labels: Readonly<Record<string, string>> }) =>
  labels.app === 'app-7';
for (const round of ['first', 'second']) {
  const listMs = performance.now();
  const { items } = await cache.list({ path: '', freshness: { kind: 'any' }, matches, signal });
  console.log(
    `${round} list by label: ${items.length} objects in ${(performance.now() - listMs).toFixed(0)} ms`,
  );
}
report('after a selector on every label');

const { objectBytes, objects } = caches.memory();
console.log(`the cache itself counts ${(objectBytes / objects).toFixed(0)} B per object`);
await caches.close();
