import { tooLargeResourceVersion } from '@tributary/apimachinery';
import { type ChangeEvent, type Clock, Compacted, type Revision } from '@tributary/storage';
import type { CacheDependencies } from './cache-dependencies.ts';
import { CacheLifecycle } from './cache-lifecycle.ts';
import type { ObjectContext } from './cached-object.ts';
import type { FeedConsumer } from './change-feed.ts';
import { EngineReads } from './engine-reads.ts';
import { memoryExhausted, tooManyWatches } from './errors.ts';
import { orAborted, type SharedTurn } from './event-loop.ts';
import type { ReplayedChanges } from './history-replay.ts';
import type { WatchCacheLimits } from './limits.ts';
import type { MemoryUser } from './memory-bound.ts';
import type { ResourceState } from './resource-state.ts';
import { Selection } from './selection.ts';
import {
  type CachedList,
  type CachedObject,
  type CachedResource,
  type Freshness,
  type ListRequest,
  WAIT,
  type WatchCache,
  type WatchRequest,
} from './types.ts';
import type { EventBatch, Wakeups } from './watch-queue.ts';
import { type WatchEnd, type WatchSource, WatchStream } from './watch-stream.ts';

/** The source of a read: memory, the engine, or an error until the cache is filled. */
type Route = ResourceState | 'engine' | 'unready';

/**
 * The cache of one resource: empty, being filled, or filled. It is filled on first use, and again after its state was
 * lost or it was dropped. All its objects are always at the feed's revision.
 */
export class ResourceCache implements WatchCache, WatchSource, FeedConsumer, MemoryUser {
  readonly prefix: string;
  readonly #shared: CacheDependencies;
  readonly #engine: EngineReads;
  readonly #streams = new Set<WatchStream>();
  /** The context of objects that are read from the engine. */
  readonly #engineContext: ObjectContext;
  readonly #lifecycle: CacheLifecycle;

  constructor(resource: CachedResource, shared: CacheDependencies) {
    const { storage, limits, frames } = shared;
    this.prefix = resource.prefix;
    this.#lifecycle = new CacheLifecycle(resource, shared);
    this.#shared = shared;
    this.#engineContext = { resource, frames, derivedBytes: undefined };
    const known = (key: string) => this.#lifecycle.state?.get(key);
    this.#engine = new EngineReads(storage, this.#engineContext, { limits, known });
  }

  get clock(): Clock {
    return this.#shared.clock;
  }

  get limits(): WatchCacheLimits {
    return this.#shared.limits;
  }

  get wakeups(): Wakeups {
    return this.#shared.wakeups;
  }

  get turn(): SharedTurn {
    return this.#shared.turn;
  }

  get revision(): Revision {
    return this.#shared.feed.revision;
  }

  get bytes(): number {
    return this.#lifecycle.bytes;
  }

  get historyBytes(): number {
    return this.#lifecycle.state?.window.bytes ?? 0;
  }

  get objects(): number {
    return this.#lifecycle.state?.size ?? 0;
  }

  get watchers(): number {
    return this.#streams.size;
  }

  get usedMs(): number {
    return this.#lifecycle.usedMs;
  }

  get isClosed(): boolean {
    return this.#lifecycle.isClosed;
  }

  get isFilled(): boolean {
    return this.#lifecycle.state !== undefined;
  }

  getNow(path: string, freshness: Freshness): CachedObject | typeof WAIT | undefined {
    const state = this.#ready(freshness);
    return state === undefined ? WAIT : state.get(this.prefix + path);
  }

  async get(
    path: string,
    freshness: Freshness,
    options: { signal: AbortSignal },
  ): Promise<CachedObject | undefined> {
    const key = this.prefix + path;
    // Reads from memory do not wait, and an abort signal costs memory: it is read only when needed.
    const route = this.#ready(freshness) ?? (await this.#route(freshness, options.signal));
    if (typeof route !== 'string') return route.get(key);
    return this.#engine.get(key, { signal: options.signal, ...atLeast(freshness) });
  }

  async list(request: ListRequest): Promise<CachedList> {
    const selection = new Selection(this.prefix, request);
    const { freshness } = request;
    if (freshness.kind === 'exact') return this.#listExact(selection, request, freshness.revision);
    const route = this.#ready(freshness) ?? (await this.#listRoute(selection, request, freshness));
    if (route === 'engine') {
      return this.#engine.list(selection, { ...request, ...atLeast(freshness) });
    }
    // A page is true at the moment of the call, and so is the revision of the last change.
    const { revision } = this;
    const { lastChange } = route;
    return { revision, contentRevision: lastChange, ...(await route.page(selection, request)) };
  }

  watch(request: WatchRequest): AsyncIterable<EventBatch> {
    return new WatchStream(this, new Selection(this.prefix, request), request);
  }

  /** Resolves when a watch can be served; fails with 429 when it cannot. */
  async ready({ signal }: { signal: AbortSignal }): Promise<void> {
    const { streams, limits } = this.#shared;
    if (streams.size >= limits.watchersMax) throw tooManyWatches();
    const outcome = await this.#lifecycle.filled(signal);
    if (outcome === 'unready') throw this.#lifecycle.initializing();
    if (outcome === 'noRoom') throw memoryExhausted();
  }

  async fresh(freshness: Freshness, signal: AbortSignal): Promise<void> {
    if (freshness.kind === 'any') return;
    const requested =
      freshness.kind === 'latest' ? await this.#currentRevision(signal) : freshness.revision;
    if (!(await this.#reached(requested, signal)))
      throw tooLargeResourceVersion(requested, this.revision, 1);
  }

  join(stream: WatchStream): ResourceState {
    const state = this.#lifecycle.usable();
    if (state === undefined) throw this.#lifecycle.initializing();
    this.#streams.add(stream);
    this.#shared.streams.add(stream);
    return state;
  }

  leave(stream: WatchStream, reason: WatchEnd): void {
    this.#streams.delete(stream);
    this.#shared.streams.delete(stream);
    this.#shared.metrics.watchEnded(reason);
  }

  replay(
    after: Revision,
    options: { selection: Selection; until: () => Revision; signal: AbortSignal },
  ): AsyncIterable<ReplayedChanges> {
    return this.#shared.replay.changes(this.#engineContext, after, options);
  }

  apply(event: ChangeEvent): void {
    this.#lifecycle.apply(event);
  }

  interrupt(options: { stateLost: boolean }): void {
    this.#endStreams();
    this.#lifecycle.interrupt(options);
  }

  shrinkHistory(): void {
    this.#lifecycle.state?.window.shrink();
  }

  /** Frees memory. Until there is room again, reads go to the engine and watches are refused. */
  drop(): void {
    this.#shared.metrics.dropped(this.prefix, this.bytes);
    this.#endStreams();
    this.#lifecycle.drop();
  }

  tick(nowMs: number): void {
    this.#lifecycle.state?.window.trim(nowMs);
    this.#lifecycle.state?.tidy();
    for (const stream of this.#streams) stream.tick(nowMs);
  }

  close(): void {
    this.#endStreams();
    this.#lifecycle.close();
  }

  /** The state, when it is known without waiting to be as fresh as requested. */
  #ready(freshness: Freshness): ResourceState | undefined {
    switch (freshness.kind) {
      case 'any':
        return this.#lifecycle.usable();
      case 'notOlderThan':
        return freshness.revision <= this.revision ? this.#lifecycle.usable() : undefined;
      default: {
        const { known } = this.#shared.currentRevision;
        return known !== undefined && known <= this.revision ? this.#lifecycle.usable() : undefined;
      }
    }
  }

  async #listRoute(
    selection: Selection,
    request: ListRequest,
    freshness: Freshness,
  ): Promise<ResourceState | 'engine'> {
    const route = await this.#route(freshness, request.signal);
    if (route !== 'unready') return route;
    // As upstream: a page without selectors costs the engine as little as a get.
    if (request.limit !== undefined && !selection.isSelective) return 'engine';
    const outcome = await this.#lifecycle.filled(request.signal);
    if (outcome === 'noRoom') return 'engine';
    const again = outcome === 'ready' ? await this.#route(freshness, request.signal) : outcome;
    if (again === 'unready') throw this.#lifecycle.initializing();
    return again;
  }

  /** Between its own changes the cache also knows past revisions: back to its last change. */
  async #listExact(
    selection: Selection,
    request: ListRequest,
    revision: Revision,
  ): Promise<CachedList> {
    // As upstream, which reads such lists from the store: it may have been compacted even if nothing changed here.
    const compacted = this.#shared.storage.compactedRevision?.();
    if (compacted !== undefined && revision < compacted) throw new Compacted(revision, compacted);
    const state = this.#lifecycle.usable();
    if (state !== undefined && state.lastChange <= revision && revision <= this.revision) {
      const { lastChange } = state;
      return { revision, contentRevision: lastChange, ...(await state.page(selection, request)) };
    }
    return this.#engine.list(selection, { ...request, revision });
  }

  async #route(freshness: Freshness, signal: AbortSignal): Promise<Route> {
    if (this.#lifecycle.usable() === undefined) return this.#unusableRoute();
    if (freshness.kind === 'any') return this.#lifecycle.usable() ?? this.#unusableRoute();
    const requested =
      freshness.kind === 'latest' ? await this.#currentRevision(signal) : freshness.revision;
    if (await this.#reached(requested, signal))
      return this.#lifecycle.usable() ?? this.#unusableRoute();
    if (freshness.kind === 'latest') return 'engine';
    throw tooLargeResourceVersion(requested, this.revision, 1);
  }

  #unusableRoute(): Route {
    if (this.#shared.feed.isDown) return 'unready';
    // A request that started with a replaced definition is served all the same.
    if (this.#lifecycle.isClosed) return 'engine';
    if (!this.#lifecycle.isAdmitted) return 'engine';
    this.#lifecycle.fill();
    return 'unready';
  }

  #currentRevision(signal: AbortSignal): Promise<Revision> {
    return orAborted(this.#shared.currentRevision.ask(), signal);
  }

  #reached(revision: Revision, signal: AbortSignal): Promise<boolean> {
    const { feed, limits } = this.#shared;
    return feed.reached(revision, { waitMs: limits.freshWaitMs, signal });
  }

  #endStreams(): void {
    for (const stream of this.#streams) stream.end('restart');
  }
}

function atLeast(freshness: Freshness): { atLeast?: Revision } {
  return freshness.kind === 'notOlderThan' ? { atLeast: freshness.revision } : {};
}
