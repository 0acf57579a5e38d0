/**
 * The cost of reads, changes and deliveries in the watch cache itself, in CPU of this process, from a thousand to a
 * million objects.
 *
 * The store is a stand-in that generates objects and publishes changes, so that neither an engine nor HTTP is
 * measured. Usage: node bench/watch-cache-speed.ts [objects]
 */
import type { ChangeEvent, FeedBatch, Page, Revision, Storage, Stored } from '@tributary/storage';
import type { Readable, WatchCache } from '../packages/server/src/watch-cache/types.ts';
import { openWatchCaches } from '../packages/server/src/watch-cache/watch-caches.ts';

const large = Number(process.argv[2] ?? 1_000_000);
const prefix = '/registry/example.com/widgets/';
const head = '{"kind":"Widget","apiVersion":"example.com/v1","metadata":{';
const { signal } = new AbortController();
const any = { kind: 'any' } as const;
const latest = { kind: 'latest' } as const;

function pathAt(index: number): string {
  return `ns-${String(Math.floor(index / 1000)).padStart(5, '0')}/widget-${String(index).padStart(7, '0')}`;
}

function valueAt(index: number): Uint8Array {
  const [namespace, name] = pathAt(index).split('/');
  const metadata = { name, namespace, labels: { app: `app-${index % 50}`, tier: 'front' } };
  const text = `${head}${JSON.stringify(metadata).slice(1)},"spec":{"text":"`;
  return Buffer.from(`${text}${'x'.repeat(1024 - text.length - 3)}"}}`);
}

/** Every key has revision 1 until it changes. */
class StandIn {
  readonly #count: number;
  readonly #revisions = new Map<number, Revision>();
  #revision = 1 as Revision;
  #queue: ChangeEvent[] = [];
  #wake: (() => void) | undefined;

  constructor(count: number) {
    this.#count = count;
  }

  change(index: number): void {
    const key = prefix + pathAt(index);
    const revision = (this.#revision + 1) as Revision;
    const before = this.#revisions.get(index) ?? (1 as Revision);
    const value = valueAt(index);
    const previous: Stored = { key, value, revision: before };
    this.#revisions.set(index, revision);
    this.#revision = revision;
    this.#queue.push({ kind: 'put', key, revision, value, previous });
  }

  publish(): void {
    this.#wake?.();
  }

  get storage(): Storage {
    return {
      currentRevision: async () => this.#revision,
      list: async (_prefix: string, options: { limit?: number; after?: string }): Promise<Page> => {
        const start = options.after === undefined ? 0 : Number(options.after.slice(-7)) + 1;
        const end = Math.min(start + (options.limit ?? this.#count), this.#count);
        const items: Stored[] = [];
        for (let index = start; index < end; index += 1) {
          items.push({
            key: prefix + pathAt(index),
            value: valueAt(index),
            revision: 1 as Revision,
          });
        }
        return { revision: this.#revision, items, remaining: this.#count - end };
      },
      feed: (_after: Revision, options: { signal: AbortSignal }) => this.#feed(options.signal),
    } as unknown as Storage;
  }

  async *#feed(ended: AbortSignal): AsyncGenerator<FeedBatch> {
    ended.addEventListener('abort', () => this.#wake?.());
    while (!ended.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      const events = this.#queue;
      this.#queue = [];
      yield { events, progress: this.#revision };
    }
  }
}

async function cpu(count: number, work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

function report(what: string, microseconds: number, unit: string): void {
  console.log(`${what.padEnd(64)} ${microseconds.toFixed(3).padStart(10)} µs per ${unit}`);
}

async function open(count: number) {
  const standIn = new StandIn(count);
  const caches = openWatchCaches(standIn.storage, {
    limits: { readyWaitMs: 600_000, bytesMax: 2 ** 40 },
  });
  const cache = caches.cache({ prefix, head: Buffer.from(head) });
  const took = await cpu(count, () => cache.ready({ signal }));
  report(`fill ${count} (with the stand-in making them)`, took, 'object');
  return { standIn, caches, cache };
}

async function measureReads(count: number, cache: WatchCache): Promise<void> {
  const reads = 200_000;
  const paths = Array.from({ length: 1000 }, (_, n) => pathAt((n * 7919) % count));
  for (const freshness of [any, latest]) {
    for (const round of [1, 2]) {
      const took = await cpu(reads, async () => {
        for (let n = 0; n < reads; n += 1) {
          const object = await cache.get(paths[n % 1000] as string, freshness, { signal });
          if (object === undefined) throw new Error('not there');
        }
      });
      if (round === 2) report(`get ${freshness.kind}, ${count} objects`, took, 'get');
    }
  }
  const lists = 200;
  const namespaces = Array.from({ length: lists }, (_, n) =>
    pathAt((n * 7919) % count).slice(0, 9),
  );
  const list = (path: string, limit?: number) =>
    cache.list({ path, freshness: any, signal, ...(limit !== undefined && { limit }) });
  const inNamespace = await cpu(lists, async () => {
    for (const path of namespaces) await list(path);
  });
  report(`list a namespace of ${Math.min(1000, count)}, ${count} objects`, inNamespace, 'list');
  const paged = await cpu(lists, async () => {
    for (let n = 0; n < lists; n += 1) await list('', 500);
  });
  report(`list a page of 500, ${count} objects`, paged, 'list');
  const whole = await cpu(1, () => list(''));
  report(`list all, ${count} objects, first after a change`, whole, 'list');
}

async function measureChanges(
  count: number,
  { standIn, cache }: { standIn: StandIn; cache: WatchCache },
): Promise<void> {
  const changes = 20_000;
  for (const round of [1, 2]) {
    const revision = await cpu(changes, async () => {
      for (let n = 0; n < changes; n += 1) standIn.change((n * 7919) % count);
      standIn.publish();
      await cache.get('x', latest, { signal });
    });
    if (round === 2)
      report(`change one of ${count} (with the stand-in making it)`, revision, 'change');
  }
}

const framing = {
  make: (type: string, { bytes }: Readable) =>
    Buffer.concat([Buffer.from(`{"type":"${type}","object":`), bytes, Buffer.from('}\n')]),
};

/** Each watcher requests the frame of each event, as a response does. */
async function measureFanOut(watchers: number, batch: number, spread: boolean): Promise<void> {
  const { standIn, caches, cache } = await open(1000);
  const stop = new AbortController();
  const total = { seen: 0, bytes: 0 };
  const running = Array.from({ length: watchers }, async (_, n) => {
    const request = {
      path: spread ? `other-${n}/` : '',
      start: { kind: 'now', freshness: any } as const,
      bookmarks: false,
      signal: stop.signal,
    };
    for await (const events of cache.watch(request)) {
      for (const event of events) {
        if (event.type === 'BOOKMARK') continue;
        total.seen += 1;
        total.bytes += event.frame(framing).length;
      }
    }
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  const changes = 2000;
  const round = async () => {
    for (let n = 0; n < changes; n += batch) {
      for (let m = 0; m < batch; m += 1) standIn.change((n + m) % 1000);
      standIn.publish();
      await cache.get('x', latest, { signal });
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await round();
  total.seen = 0;
  const took = await cpu(changes, round);
  const what = `${watchers} watchers ${spread ? 'of other namespaces' : 'of everything'}, ${batch} change(s) at a time`;
  report(what, took, 'change');
  if (!spread) {
    if (total.seen !== changes * watchers) throw new Error(`delivered ${total.seen}`);
    report(what, took / watchers, 'delivery');
  }
  stop.abort();
  await Promise.all(running);
  await caches.close();
}

for (const count of [1000, large]) {
  const opened = await open(count);
  await measureReads(count, opened.cache);
  await measureChanges(count, opened);
  await opened.caches.close();
}
await measureFanOut(1000, 1, false);
await measureFanOut(1000, 20, false);
await measureFanOut(1000, 1, true);
await measureFanOut(1, 1, true);
