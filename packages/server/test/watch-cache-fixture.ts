/** Fixtures of the watch cache's tests: two resources, and a store for their objects. */
import assert from 'node:assert/strict';
import type { KubeObject } from '@tributary/apimachinery';
import { ABSENT, type Revision, type Storage } from '@tributary/storage';
import { eventually } from '../../../test/harness/index.ts';
import type {
  CachedObject,
  CachedResource,
  CacheEvent,
  WatchCache,
  WatchRequest,
} from '../src/watch-cache/types.ts';

const POD_HEAD = '{"kind":"Pod","apiVersion":"v1","metadata":{';

export const pods: CachedResource = {
  prefix: '/registry/pods/',
  head: Buffer.from(POD_HEAD),
  fieldsOf: (object) => ({ 'spec.nodeName': nodeOf(object) }),
  indexed: ['spec.nodeName'],
};

export const nodes: CachedResource = {
  prefix: '/registry/nodes/',
  head: Buffer.from('{"kind":"Node","apiVersion":"v1","metadata":{'),
};

function nodeOf({ spec }: KubeObject): string {
  const { nodeName } = (spec ?? {}) as { nodeName?: string };
  return nodeName ?? '';
}

export interface PodInput {
  readonly labels?: Record<string, string>;
  readonly node?: string;
  readonly note?: string;
}

export function podBytes(path: string, { labels, node, note }: PodInput = {}): Uint8Array {
  const slash = path.indexOf('/');
  const metadata = {
    name: path.slice(slash + 1),
    ...(slash !== -1 && { namespace: path.slice(0, slash) }),
    ...(labels && { labels }),
  };
  const rest = { spec: { ...(node !== undefined && { nodeName: node }), note } };
  return Buffer.from(
    `${POD_HEAD}${JSON.stringify(metadata).slice(1)},${JSON.stringify(rest).slice(1)}`,
  );
}

export async function putPod(storage: Storage, path: string, input?: PodInput): Promise<Revision> {
  return write(storage, { kind: 'put', key: pods.prefix + path, value: podBytes(path, input) });
}

export async function deletePod(storage: Storage, path: string): Promise<Revision> {
  return write(storage, { kind: 'delete', key: pods.prefix + path });
}

export async function putNode(storage: Storage, name: string): Promise<Revision> {
  const value = Buffer.from(`${Buffer.from(nodes.head).toString()}"name":"${name}"}}`);
  return write(storage, { kind: 'put', key: nodes.prefix + name, value });
}

type OneWrite = Parameters<Storage['commit']>[0]['writes'][number];

async function write(storage: Storage, one: OneWrite): Promise<Revision> {
  const result = await storage.commit({ require: [], writes: [one] });
  assert.equal(result.outcome, 'written');
  return result.outcome === 'written' ? result.revision : ABSENT;
}

export const never = new AbortController().signal;

export function pathOf(object: CachedObject): string {
  return object.key.replace(/^\/registry\/[a-z]+\//, '');
}

export function textOf(object: CachedObject): string {
  return Buffer.from(object.bytes).toString();
}

/** `ADDED a/b@7`, `BOOKMARK @9`, and `END @9` for the one that ends the initial objects. */
export function brief(event: CacheEvent): string {
  if (event.type === 'BOOKMARK') {
    return `${event.initialEventsEnd ? 'END' : 'BOOKMARK'} @${event.revision}`;
  }
  const { metadata } = JSON.parse(textOf(event.object));
  assert.equal(metadata.resourceVersion, String(event.object.revision));
  return `${event.type} ${pathOf(event.object)}@${event.object.revision}`;
}

/** Watches and takes what comes, in the background. */
export class Recorder {
  readonly seen: string[] = [];
  readonly events: CacheEvent[] = [];
  readonly done: Promise<'ended' | Error>;
  readonly #stop = new AbortController();

  constructor(
    cache: WatchCache,
    request: Omit<WatchRequest, 'signal' | 'bookmarks'> & { bookmarks?: boolean },
  ) {
    const stream = cache.watch({ bookmarks: false, ...request, signal: this.#stop.signal });
    this.done = this.#record(stream);
  }

  stop(): void {
    this.#stop.abort();
  }

  async until(count: number): Promise<readonly string[]> {
    // The clock may be one that stands still: no timer, then.
    await eventually(
      () => `${count} events, has ${this.seen}`,
      () => this.seen.length >= count,
      { everyMs: 0 },
    );
    return this.seen;
  }

  async #record(stream: AsyncIterable<readonly CacheEvent[]>): Promise<'ended' | Error> {
    try {
      for await (const batch of stream) {
        for (const event of batch) {
          this.events.push(event);
          this.seen.push(brief(event));
        }
      }
      return 'ended';
    } catch (error) {
      assert.ok(error instanceof Error);
      return error;
    }
  }
}

/** Lets everything that is under way without a timer come to its end. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** The storage with some of its methods replaced. */
export function replaced(storage: Storage, methods: Partial<Storage>): Storage {
  return new Proxy(storage, {
    get(target, name) {
      const own = Reflect.get(methods, name);
      if (own !== undefined) return own;
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
