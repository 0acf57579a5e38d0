import { type Clock, Compacted, type Revision } from '@tributary/storage';
import type { ResourceObject } from './cached-object.ts';
import { type ChangeRecord, ObjectEvent } from './change-record.ts';
import type { SharedTurn } from './event-loop.ts';
import type { ReplayedChanges } from './history-replay.ts';
import type { WatchCacheLimits } from './limits.ts';
import type { ResourceState } from './resource-state.ts';
import type { Selection } from './selection.ts';
import type { CacheEvent, Freshness, WatchRequest } from './types.ts';
import { type EventBatch, type NextBatch, type Wakeups, WatchQueue } from './watch-queue.ts';
import type { LiveWatcher } from './watchers.ts';

export type WatchEnd =
  /** Its signal fired or its consumer returned. */
  | 'left'
  /** The consumer fell behind the bounds of its queue. */
  | 'slow'
  /** The cache was restarted, dropped or closed. */
  | 'restart'
  /** It failed, and its consumer got the error. */
  | 'failed';

/** Dependencies of a watch on its resource's cache. */
export interface WatchSource {
  readonly clock: Clock;
  readonly limits: WatchCacheLimits;
  readonly wakeups: Wakeups;
  /** Shared by all watches that catch up. */
  readonly turn: SharedTurn;
  /** No watch starts any more. */
  readonly isClosed: boolean;
  /** The revision that the feed has reached. */
  readonly revision: Revision;
  ready(options: { signal: AbortSignal }): Promise<void>;
  /** Resolves when a freshness is reached; fails with `tooLargeResourceVersion` when that takes too long. */
  fresh(freshness: Freshness, signal: AbortSignal): Promise<void>;
  /** Registers a watch with the current state: it ends with that state. */
  join(stream: WatchStream): ResourceState;
  leave(stream: WatchStream, reason: WatchEnd): void;
  /** Replays the engine's changes after a revision, until the cache's own history begins. */
  replay(
    after: Revision,
    options: { selection: Selection; until: () => Revision; signal: AbortSignal },
  ): AsyncIterable<ReplayedChanges>;
}

/** The approximate size of batches of initial objects and replayed changes. */
const BATCH_EVENTS = 500;

/** Upstream's cadence: about once a minute, and once shortly before the deadline. */
const BOOKMARK_MS = 60_000;
const BOOKMARK_BEFORE_DEADLINE_MS = 2000;

/**
 * One watch. It first catches up at the pace of its consumer, reading the cache's history rather than a queue of its
 * own, so that a long list over a slow connection is not ended. In the same synchronous step in which nothing is left
 * to catch up with, it joins the live watchers: no event is lost or repeated in between.
 */
export class WatchStream implements AsyncIterableIterator<EventBatch, undefined>, LiveWatcher {
  readonly selection: Selection;
  readonly #source: WatchSource;
  readonly #request: WatchRequest;
  readonly #queue: WatchQueue;
  readonly #catchUp: AsyncGenerator<EventBatch, undefined>;
  readonly #abort = new AbortController();
  #stopLive: (() => void) | undefined;
  /** Changes up to this revision are not for this watch, which requested later ones. */
  #floor = 0 as Revision;
  #bookmarkDueMs = 0;
  #ended = false;
  readonly #onSignal = () => this.end('left');

  constructor(source: WatchSource, selection: Selection, request: WatchRequest) {
    this.selection = selection;
    this.#source = source;
    this.#request = request;
    this.#queue = new WatchQueue(source.limits, source.wakeups);
    this.#catchUp = this.#start();
    if (request.signal.aborted) this.end('left');
    else request.signal.addEventListener('abort', this.#onSignal);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<NextBatch> {
    return this.#stopLive === undefined ? this.#nextOfCatchUp() : this.#queue.next();
  }

  async return(): Promise<NextBatch> {
    this.end('left');
    return { done: true, value: undefined };
  }

  /** Ends the watch from outside; queued events are still delivered unless it fell behind. */
  end(reason: WatchEnd, outcome?: { readonly error: unknown }): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#request.signal.removeEventListener('abort', this.#onSignal);
    this.#abort.abort();
    this.#stopLive?.();
    this.#source.leave(this, reason);
    this.#queue.end(outcome);
    // A replay that waits for its consumer must close its feed. `next` reports its failures.
    this.#catchUp.return(undefined).catch(() => undefined);
  }

  offer(record: ChangeRecord, plain: ObjectEvent): void {
    if (record.revision <= this.#floor) return;
    try {
      const event = this.selection.isSelective ? record.eventFor(this.selection) : plain;
      if (event !== undefined) this.#push(event, event.object.size);
    } catch (error) {
      // A selector that throws, or an object that cannot be decoded, fails only this watch.
      this.end('failed', { error });
    }
  }

  /** Sends the bookmark that is due. It is dropped when the queue is full: bookmarks end no watch. */
  tick(nowMs: number): void {
    const revision = this.#source.revision;
    if (!this.#request.bookmarks || nowMs < this.#bookmarkDueMs) return;
    if (this.#stopLive === undefined || this.#queue.isFull || revision < this.#floor) return;
    this.#bookmarkDueMs = this.#nextBookmarkMs(nowMs);
    this.#push({ type: 'BOOKMARK', revision, initialEventsEnd: false }, 0);
    this.#queue.wake();
  }

  #push(event: CacheEvent, bytes: number): void {
    if (!this.#queue.push(event, bytes)) this.end('slow');
  }

  async #nextOfCatchUp(): Promise<NextBatch> {
    if (this.#ended) return this.#queue.next();
    try {
      const batch = await this.#catchUp.next();
      if (!batch.done) return batch;
    } catch (error) {
      // Its own signal interrupts waits within; that ends the watch, and is not a failure.
      if (!this.#ended && this.#source.isClosed) this.end('restart');
      else if (!this.#ended) this.end('failed', { error });
    }
    return this.#queue.next();
  }

  async *#start(): AsyncGenerator<EventBatch, undefined> {
    const { start, bookmarks } = this.#request;
    const { signal } = this.#abort;
    await this.#source.ready({ signal });
    if (start.kind !== 'after') await this.#source.fresh(start.freshness, signal);
    const state = this.#source.join(this);
    if (start.kind === 'after') return yield* this.#follow(state, start.revision);
    const { revision } = this.#source;
    if (start.kind === 'initial') {
      // The objects as of `revision`: copied before other work runs.
      yield* this.#initialObjects(state.covered(this.selection));
      if (bookmarks) yield [{ type: 'BOOKMARK', revision, initialEventsEnd: true }];
    }
    return yield* this.#follow(state, revision);
  }

  async *#initialObjects(
    objects: readonly ResourceObject[],
  ): AsyncGenerator<EventBatch, undefined> {
    const { turn } = this.#source;
    for (let at = 0; at < objects.length && !this.#ended; at += BATCH_EVENTS) {
      const selected = objects
        .slice(at, at + BATCH_EVENTS)
        .filter((object) => this.selection.selects(object));
      if (selected.length > 0) yield selected.map((object) => new ObjectEvent('ADDED', object));
      if (turn.isOver) await turn.next();
    }
    return undefined;
  }

  /** The changes after a revision, from the history that still has them, until the watch can go live. */
  async *#follow(state: ResourceState, after: Revision): AsyncGenerator<EventBatch, undefined> {
    let seen = after;
    while (!this.#ended) {
      if (seen < state.window.start) {
        for await (const { records, progress } of this.#replay(state, seen)) {
          yield* this.#batches(records);
          seen = progress;
        }
        continue;
      }
      const records = state.window.after(seen);
      if (records.length <= BATCH_EVENTS) {
        const events = this.#eventsOf(records);
        this.#goLive(state, seen);
        if (events.length > 0) yield events;
        return undefined;
      }
      yield* this.#batches(records);
      seen = records.at(-1)?.revision ?? seen;
    }
    return undefined;
  }

  async *#replay(
    state: ResourceState,
    after: Revision,
  ): AsyncGenerator<ReplayedChanges, undefined> {
    const { start } = this.#request;
    const until = () => state.window.start;
    const options = { selection: this.selection, until, signal: this.#abort.signal };
    try {
      yield* this.#source.replay(after, options);
    } catch (error) {
      const isFirst = start.kind === 'after' && start.revision === after;
      if (isFirst || !(error instanceof Compacted)) throw error;
      // The start was not too old at first: the consumer was too slow, and is treated like other slow ones.
      this.end('slow');
    }
    return undefined;
  }

  async *#batches(records: readonly ChangeRecord[]): AsyncGenerator<EventBatch, undefined> {
    const { turn } = this.#source;
    for (let at = 0; at < records.length && !this.#ended; at += BATCH_EVENTS) {
      const events = this.#eventsOf(records.slice(at, at + BATCH_EVENTS));
      if (events.length > 0) yield events;
      if (turn.isOver) await turn.next();
    }
    return undefined;
  }

  #eventsOf(records: readonly ChangeRecord[]): ObjectEvent[] {
    const events: ObjectEvent[] = [];
    for (const record of records) {
      const event = this.selection.covers(record.key) && record.eventFor(this.selection);
      if (event) events.push(event);
    }
    return events;
  }

  #goLive(state: ResourceState, seen: Revision): void {
    const { clock, revision } = this.#source;
    this.#floor = seen > revision ? seen : revision;
    this.#bookmarkDueMs = this.#nextBookmarkMs(clock.nowMs());
    this.#stopLive = state.watchers.add(this);
  }

  #nextBookmarkMs(nowMs: number): number {
    const heartbeatMs = nowMs + BOOKMARK_MS;
    const { deadline } = this.#request;
    if (deadline === undefined) return heartbeatMs;
    const lastMs = deadline - BOOKMARK_BEFORE_DEADLINE_MS;
    return lastMs > nowMs ? Math.min(heartbeatMs, lastMs) : heartbeatMs;
  }
}
