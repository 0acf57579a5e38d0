import { tooLargeResourceVersion } from '@tributary/apimachinery';
import {
  type ChangeEvent,
  type Clock,
  Compacted,
  type Revision,
  type Storage,
  unreadableStored,
} from '@tributary/storage';
import { ByteSlabs } from './byte-slabs.ts';
import { decodeStored, type ObjectHome, type ResourceObject } from './cached-object.ts';
import type { ChangeFeed, FeedConsumer } from './change-feed.ts';
import type { CurrentRevision } from './current-revision.ts';
import type { DerivedBytes } from './derived-bytes.ts';
import { EngineReads } from './engine-reads.ts';
import {
  FeedInconsistent,
  memoryExhausted,
  storageInitializing,
  tooManyWatches,
} from './errors.ts';
import { orAborted, type SharedTurn } from './event-loop.ts';
import { Filling, type FillingOutcome } from './filling.ts';
import type { FrameCatalog } from './frames.ts';
import type { HistoryReplay, ReplayedChanges } from './history-replay.ts';
import type { WatchCacheLimits } from './limits.ts';
import type { MemoryBound, MemoryUser, Refusal } from './memory-bound.ts';
import type { WatchCacheMetrics } from './metrics.ts';
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

/** Dependencies shared by the caches of one store. */
export interface CacheDependencies {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly limits: WatchCacheLimits;
  readonly metrics: WatchCacheMetrics;
  readonly feed: ChangeFeed;
  readonly currentRevision: CurrentRevision;
  readonly replay: HistoryReplay;
  readonly bound: MemoryBound;
  readonly derivedBytes: DerivedBytes<ResourceObject>;
  readonly frames: FrameCatalog;
  readonly wakeups: Wakeups;
  readonly turn: SharedTurn;
  /** Watches of all caches. */
  readonly streams: Set<WatchStream>;
}

/** The source of a read: memory, the engine, or an error until the cache is filled. */
type Route = ResourceState | 'engine' | 'unready';

/**
 * The cache of one resource: empty, being filled, or filled. It is filled on first use, and again after its state was
 * lost or it was dropped. All its objects are always at the feed's revision.
 */
export class ResourceCache implements WatchCache, WatchSource, FeedConsumer, MemoryUser {
  readonly prefix: string;
  readonly #resource: CachedResource;
  readonly #shared: CacheDependencies;
  readonly #engine: EngineReads;
  readonly #streams = new Set<WatchStream>();
  /** The home of objects that are read from the engine. */
  readonly #engineHome: ObjectHome;
  #state: ResourceState | undefined;
  #filling: Filling | undefined;
  #unreadySinceMs: number | undefined;
  #usedMs = 0;
  /** The memory that it took when it was last dropped for lack of room. */
  #refused: Refusal | undefined;
  #closed = false;

  constructor(resource: CachedResource, commons: CacheDependencies) {
    const { storage, limits, frames } = commons;
    this.prefix = resource.prefix;
    this.#resource = resource;
    this.#shared = commons;
    this.#engineHome = { resource, frames, derivedBytes: undefined };
    const known = (key: string) => this.#state?.get(key);
    this.#engine = new EngineReads(storage, this.#engineHome, { limits, known });
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
    return (this.#state ?? this.#filling?.state)?.bytes ?? 0;
  }

  get historyBytes(): number {
    return this.#state?.window.bytes ?? 0;
  }

  get objects(): number {
    return this.#state?.size ?? 0;
  }

  get watchers(): number {
    return this.#streams.size;
  }

  get usedMs(): number {
    return this.#usedMs;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  get isFilled(): boolean {
    return this.#state !== undefined;
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
    const outcome = await this.#filled(signal);
    if (outcome === 'unready') throw this.#initializing();
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
    const state = this.#usable();
    if (state === undefined) throw this.#initializing();
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
    return this.#shared.replay.changes(this.#engineHome, after, options);
  }

  apply(event: ChangeEvent): void {
    this.#filling?.apply(event);
    if (this.#state !== undefined) this.#change(this.#state, event);
  }

  interrupt({ stateLost }: { stateLost: boolean }): void {
    this.#endStreams();
    this.#unreadySinceMs ??= this.clock.nowMs();
    if (stateLost) this.#discard();
  }

  shrinkHistory(): void {
    this.#state?.window.shrink();
  }

  /** Frees memory. Until there is room again, reads go to the engine and watches are refused. */
  drop(): void {
    const { bytes } = this;
    this.#shared.metrics.dropped(this.prefix, bytes);
    this.#refused = { bytes, atMs: this.clock.nowMs() };
    this.#endStreams();
    this.#discard();
  }

  tick(nowMs: number): void {
    this.#state?.window.trim(nowMs);
    this.#state?.tidy();
    for (const stream of this.#streams) stream.tick(nowMs);
  }

  close(): void {
    this.#closed = true;
    this.#endStreams();
    this.#discard();
  }

  /** The state, when it is known without waiting to be as fresh as requested. */
  #ready(freshness: Freshness): ResourceState | undefined {
    switch (freshness.kind) {
      case 'any':
        return this.#usable();
      case 'notOlderThan':
        return freshness.revision <= this.revision ? this.#usable() : undefined;
      default: {
        const { known } = this.#shared.currentRevision;
        return known !== undefined && known <= this.revision ? this.#usable() : undefined;
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
    const outcome = await this.#filled(request.signal);
    if (outcome === 'noRoom') return 'engine';
    const again = outcome === 'ready' ? await this.#route(freshness, request.signal) : outcome;
    if (again === 'unready') throw this.#initializing();
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
    const state = this.#usable();
    if (state !== undefined && state.lastChange <= revision && revision <= this.revision) {
      const { lastChange } = state;
      return { revision, contentRevision: lastChange, ...(await state.page(selection, request)) };
    }
    return this.#engine.list(selection, { ...request, revision });
  }

  async #route(freshness: Freshness, signal: AbortSignal): Promise<Route> {
    if (this.#usable() === undefined) return this.#unusableRoute();
    if (freshness.kind === 'any') return this.#usable() ?? this.#unusableRoute();
    const requested =
      freshness.kind === 'latest' ? await this.#currentRevision(signal) : freshness.revision;
    if (await this.#reached(requested, signal)) return this.#usable() ?? this.#unusableRoute();
    if (freshness.kind === 'latest') return 'engine';
    throw tooLargeResourceVersion(requested, this.revision, 1);
  }

  #unusableRoute(): Route {
    const { bound, feed } = this.#shared;
    if (feed.isDown) return 'unready';
    // A request that started with a replaced definition is served all the same.
    if (this.#closed) return 'engine';
    if (!bound.admits(this.#refused)) return 'engine';
    this.#fill();
    return 'unready';
  }

  #currentRevision(signal: AbortSignal): Promise<Revision> {
    return orAborted(this.#shared.currentRevision.ask(), signal);
  }

  #reached(revision: Revision, signal: AbortSignal): Promise<boolean> {
    const { feed, limits } = this.#shared;
    return feed.reached(revision, { waitMs: limits.freshWaitMs, signal });
  }

  /** The state, if it is at the feed's revision and the feed is up. */
  #usable(): ResourceState | undefined {
    if (this.#state === undefined || !this.#shared.feed.isUp) return undefined;
    this.#usedMs = this.clock.nowMs();
    this.#unreadySinceMs = undefined;
    return this.#state;
  }

  /** Fills the cache if necessary, and waits for that with a timeout. */
  async #filled(signal: AbortSignal): Promise<'ready' | 'unready' | 'noRoom'> {
    const { limits, feed, bound, clock } = this.#shared;
    if (this.#usable() !== undefined) return 'ready';
    if (feed.isDown || this.#closed) return 'unready';
    if (!bound.admits(this.#refused)) return 'noRoom';
    const { promise: tooLong, resolve } = Promise.withResolvers<void>();
    const cancel = clock.schedule(limits.readyWaitMs, resolve);
    try {
      await orAborted(Promise.race([this.#fill().finished, tooLong]), signal);
    } finally {
      cancel();
    }
    if (this.#usable() !== undefined) return 'ready';
    return bound.admits(this.#refused) ? 'unready' : 'noRoom';
  }

  #fill(): Filling {
    if (this.#filling !== undefined) return this.#filling;
    const { storage, clock, limits, feed, bound, frames, derivedBytes } = this.#shared;
    const slabs = new ByteSlabs();
    const home: ObjectHome = { resource: this.#resource, frames, derivedBytes, slabs };
    const startMs = clock.nowMs();
    this.#unreadySinceMs ??= startMs;
    const filling = new Filling(home, { storage, limits, feed, makeRoom: () => bound.makeRoom() });
    this.#filling = filling;
    this.#usedMs = startMs;
    void filling.finished.then((outcome) => this.#finishFilling(filling, outcome, startMs));
    return filling;
  }

  /** Before this the filling received every change; after it the state does. */
  #finishFilling(filling: Filling, outcome: FillingOutcome, startMs: number): void {
    if (this.#filling !== filling) return;
    this.#filling = undefined;
    const { metrics } = this.#shared;
    const nowMs = this.clock.nowMs();
    switch (outcome.kind) {
      case 'filled':
        this.#refused = undefined;
        this.#state = filling.state;
        metrics.filled(this.prefix, { objects: this.objects, tookMs: nowMs - startMs });
        return;
      case 'noRoom':
        this.#refused = { bytes: outcome.bytes, atMs: nowMs };
        metrics.dropped(this.prefix, outcome.bytes);
        return;
      case 'failed':
        metrics.fillFailed(this.prefix, outcome.error);
        return;
      default:
        unreachable(outcome);
    }
  }

  #change(state: ResourceState, event: ChangeEvent): void {
    const known = state.get(event.key);
    if (event.previous?.revision !== known?.revision) {
      throw new FeedInconsistent(
        `${event.key} changed from ${event.previous?.revision} at ${event.revision}, the cache has ${known?.revision}`,
      );
    }
    const current = event.kind === 'put' ? this.#decode(state, event, known) : undefined;
    const { revision } = event;
    const record = state.change(event.key, { revision, atMs: this.clock.nowMs(), current });
    state.watchers.dispatch(record);
  }

  /** All revisions of an object share one string as their key. */
  #decode(
    state: ResourceState,
    event: ChangeEvent & { kind: 'put' },
    known: ResourceObject | undefined,
  ): ResourceObject {
    const key = known?.key ?? event.key;
    const { revision, unreadable } = event;
    if (unreadable)
      return decodeStored(state.home, unreadableStored({ key, revision }, unreadable));
    return decodeStored(state.home, { key, value: event.value, revision });
  }

  #endStreams(): void {
    for (const stream of this.#streams) stream.end('restart');
  }

  #discard(): void {
    const { derivedBytes } = this.#shared;
    this.#filling?.abort();
    this.#filling = undefined;
    const state = this.#state;
    this.#state = undefined;
    if (state === undefined) return;
    state.home.derivedBytes = undefined;
    derivedBytes.forgetAll((owner) => owner.isOf(state.home));
  }

  #initializing() {
    const sinceMs = this.#unreadySinceMs ?? this.clock.nowMs();
    return storageInitializing(Math.max(this.clock.nowMs() - sinceMs, this.#shared.feed.downMs));
  }
}

function unreachable(value: never): never {
  throw new Error(`not a case: ${JSON.stringify(value)}`);
}

function atLeast(freshness: Freshness): { atLeast?: Revision } {
  return freshness.kind === 'notOlderThan' ? { atLeast: freshness.revision } : {};
}
