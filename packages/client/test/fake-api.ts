/** One resource of an API server in memory, with a history, and with the faults that a test requests. */
import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import {
  badRequest,
  expired,
  initialEventsEndAnnotation,
  type KubeObject,
  type StatusError,
  tooLargeResourceVersion,
  tooManyRequests,
} from '@tributary/apimachinery';
import type { ResourceType } from '../src/index.ts';
import type { TestHandler, TestRequest, TestResponse } from './test-server.ts';

export interface Thing extends KubeObject {
  data: string;
}

export const THINGS: ResourceType = {
  group: 'test.example.com',
  version: 'v1',
  plural: 'things',
  namespaced: true,
};

export interface HistoryEvent {
  readonly revision: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: Thing;
}

export interface Snapshot {
  readonly revision: number;
  readonly objects: ReadonlyMap<string, Thing>;
}

interface Watcher {
  readonly response: TestResponse;
  readonly bookmarks: boolean;
  /** The last revision that it has received. */
  after: number;
  /** The remaining bytes before its connection is cut. */
  bytesLeft: number;
}

const PATH = '/apis/test.example.com/v1/things';

export class FakeApi {
  revision = 100;
  history: HistoryEvent[] = [];
  /** Versions before this one are compacted. */
  oldest = 100;
  /** The server's support of `sendInitialEvents`. */
  watchList: 'supported' | 'refused' | 'ignored' = 'supported';
  /** Responses to the next requests, before anything else. */
  failures: StatusError[] = [];
  /** After every page that has a next one. */
  afterPage: (() => void) | undefined;
  /** The next watch is cut after this many bytes. */
  cutAfterBytes: number | undefined;
  readonly #objects = new Map<string, Thing>();
  readonly #watchers = new Set<Watcher>();
  readonly #pages = new Map<string, { revision: number; rest: readonly Thing[] }>();

  get objects(): ReadonlyMap<string, Thing> {
    return this.#objects;
  }

  get watchers(): number {
    return this.#watchers.size;
  }

  put(name: string, data: string, namespace = 'default'): Thing {
    const key = `${namespace}/${name}`;
    const before = this.#objects.get(key);
    this.revision += 1;
    const object: Thing = {
      apiVersion: 'test.example.com/v1',
      kind: 'Thing',
      metadata: {
        name,
        namespace,
        uid: before?.metadata.uid ?? randomUUID(),
        resourceVersion: String(this.revision),
      },
      data,
    };
    this.#objects.set(key, object);
    this.#record({
      revision: this.revision,
      type: before === undefined ? 'ADDED' : 'MODIFIED',
      object,
    });
    return object;
  }

  delete(name: string, namespace = 'default'): boolean {
    const key = `${namespace}/${name}`;
    const before = this.#objects.get(key);
    if (before === undefined) return false;
    this.#objects.delete(key);
    this.revision += 1;
    const metadata = { ...before.metadata, resourceVersion: String(this.revision) };
    this.#record({ revision: this.revision, type: 'DELETED', object: { ...before, metadata } });
    return true;
  }

  /** Compacts everything before the current state. Watches under way do not notice. */
  compact(): void {
    this.oldest = this.revision;
    this.#pages.clear();
  }

  snapshot(): Snapshot {
    return { revision: this.revision, objects: new Map(this.#objects) };
  }

  /** Restores a backup, as after a disaster; all connections break. */
  restore({ revision, objects }: Snapshot): void {
    this.revision = revision;
    this.oldest = revision;
    this.history = this.history.filter((event) => event.revision <= revision);
    this.#pages.clear();
    this.#objects.clear();
    for (const [key, object] of objects) this.#objects.set(key, object);
    this.cutWatches();
  }

  bookmark(): void {
    for (const watcher of this.#watchers) {
      if (watcher.bookmarks && watcher.after <= this.revision) this.#sendBookmark(watcher, false);
    }
  }

  /** Sends the same text to every watch. */
  sendRaw(text: string): void {
    for (const watcher of this.#watchers) this.#send(watcher, text);
  }

  endWatches(): void {
    for (const { response } of this.#watchers) response.end();
    this.#watchers.clear();
  }

  cutWatches(how: 'cut' | 'cutConnection' = 'cutConnection'): void {
    for (const { response } of this.#watchers) response[how]();
    this.#watchers.clear();
  }

  handle: TestHandler = (request, response) => {
    try {
      const failure = this.failures.shift();
      if (failure !== undefined) throw failure;
      if (!request.path.endsWith('/things') || request.method !== 'GET') {
        throw badRequest(`${request.method} ${request.path} is not served here`);
      }
      if (request.query.get('watch') === 'true') this.#watch(request, response);
      else this.#list(request, response);
    } catch (error) {
      const { status, code } = error as StatusError;
      const retryAfter = status.details?.retryAfterSeconds;
      response.send(
        code,
        status,
        retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
      );
    }
  };

  #list({ path, query }: TestRequest, response: TestResponse): void {
    const limit = Number(query.get('limit') ?? 0);
    const token = query.get('continue');
    const { revision, rest } = token === null ? this.#firstPage(path, query) : this.#page(token);
    const items = limit > 0 ? rest.slice(0, limit) : rest;
    const metadata: Record<string, string> = { resourceVersion: String(revision) };
    if (items.length < rest.length) {
      metadata.continue = randomUUID();
      this.#pages.set(metadata.continue, { revision, rest: rest.slice(items.length) });
    }
    // As in real servers, items have no apiVersion and kind.
    const stripped = items.map(({ apiVersion: _, kind: __, ...item }) => item);
    response.send(200, {
      kind: 'ThingList',
      apiVersion: 'test.example.com/v1',
      metadata,
      items: stripped,
    });
    if (metadata.continue !== undefined) this.afterPage?.();
  }

  #firstPage(path: string, query: URLSearchParams): { revision: number; rest: readonly Thing[] } {
    const version = Number(query.get('resourceVersion') ?? 0);
    if (version > this.revision) throw tooLargeResourceVersion(version, this.revision, 0);
    if (version > 0 && query.has('limit') && version < this.oldest) {
      throw expired('The resourceVersion for the provided list is too old.');
    }
    return { revision: this.revision, rest: this.#selected(path) };
  }

  #page(token: string): { revision: number; rest: readonly Thing[] } {
    const page = this.#pages.get(token);
    if (page === undefined) throw expired('The provided continue parameter is too old');
    return page;
  }

  #selected(path: string): Thing[] {
    const [, namespace] = /\/namespaces\/([^/]+)\//.exec(path) ?? [];
    return [...this.#objects.keys()]
      .sort()
      .map((key) => this.#objects.get(key))
      .filter((object) => object !== undefined)
      .filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace);
  }

  #watch({ path, query }: TestRequest, response: TestResponse): void {
    const version = Number(query.get('resourceVersion') ?? 0);
    const initial = query.get('sendInitialEvents') === 'true';
    if (initial && this.watchList === 'refused') {
      throw badRequest('sendInitialEvents is forbidden for watch');
    }
    if (initial && this.watchList === 'supported' && version > this.revision) {
      throw tooLargeResourceVersion(version, this.revision, 0);
    }
    response.start(200);
    const watcher: Watcher = {
      response: response,
      bookmarks: query.get('allowWatchBookmarks') === 'true',
      after: version,
      bytesLeft: this.cutAfterBytes ?? Number.POSITIVE_INFINITY,
    };
    this.cutAfterBytes = undefined;
    this.#watchers.add(watcher);
    void response.closed.then(() => this.#watchers.delete(watcher));
    if (version === 0 || (initial && this.watchList === 'supported')) {
      this.#sendInitial(watcher, path, initial && this.watchList === 'supported');
    } else {
      this.#sendHistory(watcher);
    }
  }

  #sendInitial(watcher: Watcher, path: string, withBookmark: boolean): void {
    for (const object of this.#selected(path)) this.#sendEvent(watcher, 'ADDED', object);
    if (withBookmark) this.#sendBookmark(watcher, true);
    watcher.after = this.revision;
  }

  #sendHistory(watcher: Watcher): void {
    if (watcher.after < this.oldest) {
      const { status } = expired(`too old resource version: ${watcher.after} (${this.oldest})`);
      this.#send(watcher, `${JSON.stringify({ type: 'ERROR', object: status })}\n`);
      watcher.response.end();
      this.#watchers.delete(watcher);
      return;
    }
    for (const { revision, type, object } of this.history) {
      if (revision > watcher.after) this.#sendEvent(watcher, type, object);
    }
    watcher.after = Math.max(watcher.after, this.revision);
  }

  #record(event: HistoryEvent): void {
    this.history.push(event);
    for (const watcher of this.#watchers) {
      // A watch from a future version gets no events until then.
      if (event.revision <= watcher.after) continue;
      watcher.after = event.revision;
      this.#sendEvent(watcher, event.type, event.object);
    }
  }

  #sendEvent(watcher: Watcher, type: string, object: unknown): void {
    this.#send(watcher, `${JSON.stringify({ type, object })}\n`);
  }

  #sendBookmark(watcher: Watcher, initialEnd: boolean): void {
    const annotations = initialEnd ? { [initialEventsEndAnnotation]: 'true' } : undefined;
    this.#sendEvent(watcher, 'BOOKMARK', {
      apiVersion: 'test.example.com/v1',
      kind: 'Thing',
      metadata: { resourceVersion: String(this.revision), annotations },
    });
  }

  #send(watcher: Watcher, frame: string): void {
    if (watcher.bytesLeft <= 0) return;
    const bytes = Buffer.from(frame).subarray(0, watcher.bytesLeft);
    watcher.bytesLeft -= bytes.length;
    watcher.response.write(bytes);
    if (watcher.bytesLeft > 0) return;
    // The last bytes are sent first.
    void turn().then(() => watcher.response.cut());
    this.#watchers.delete(watcher);
  }
}

export function tooBusy(): StatusError {
  return tooManyRequests('storage is (re)initializing', 0);
}

export { PATH as THINGS_PATH };
