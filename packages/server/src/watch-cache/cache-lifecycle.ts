import type { StatusError } from '@tributary/apimachinery';
import { type ChangeEvent, unreadableStored } from '@tributary/storage';
import { ByteSlabs } from './byte-slabs.ts';
import type { CacheDependencies } from './cache-dependencies.ts';
import { decodeStored, type ObjectContext, type ResourceObject } from './cached-object.ts';
import { FeedInconsistent, storageInitializing } from './errors.ts';
import { orAborted } from './event-loop.ts';
import { Filling, type FillingOutcome } from './filling.ts';
import type { Refusal } from './memory-bound.ts';
import type { ResourceState } from './resource-state.ts';
import type { CachedResource } from './types.ts';

/**
 * The state of one cache over time: it is filled on first use, follows the feed, and is filled again after it was lost
 * or dropped for lack of room.
 */
export class CacheLifecycle {
  readonly #resource: CachedResource;
  readonly #shared: CacheDependencies;
  #state: ResourceState | undefined;
  #filling: Filling | undefined;
  #unreadySinceMs: number | undefined;
  #usedMs = 0;
  /** The memory that the cache took when it was last dropped for lack of room. */
  #refused: Refusal | undefined;
  #closed = false;

  constructor(resource: CachedResource, shared: CacheDependencies) {
    this.#resource = resource;
    this.#shared = shared;
  }

  /** The state, also while the feed is down. */
  get state(): ResourceState | undefined {
    return this.#state;
  }

  get bytes(): number {
    return (this.#state ?? this.#filling?.state)?.bytes ?? 0;
  }

  get usedMs(): number {
    return this.#usedMs;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Whether the cache fits into the memory bound. */
  get isAdmitted(): boolean {
    return this.#shared.bound.admits(this.#refused);
  }

  /** The state, if it is at the feed's revision and the feed is up. */
  usable(): ResourceState | undefined {
    if (this.#state === undefined || !this.#shared.feed.isUp) return undefined;
    this.#usedMs = this.#nowMs;
    this.#unreadySinceMs = undefined;
    return this.#state;
  }

  /** Fills the cache if necessary, and waits for that with a timeout. */
  async filled(signal: AbortSignal): Promise<'ready' | 'unready' | 'noRoom'> {
    const { limits, feed, clock } = this.#shared;
    if (this.usable() !== undefined) return 'ready';
    if (feed.isDown || this.#closed) return 'unready';
    if (!this.isAdmitted) return 'noRoom';
    const { promise: tooLong, resolve } = Promise.withResolvers<void>();
    const cancel = clock.schedule(limits.readyWaitMs, resolve);
    try {
      await orAborted(Promise.race([this.fill().finished, tooLong]), signal);
    } finally {
      cancel();
    }
    if (this.usable() !== undefined) return 'ready';
    return this.isAdmitted ? 'unready' : 'noRoom';
  }

  fill(): Filling {
    if (this.#filling !== undefined) return this.#filling;
    const { storage, clock, limits, feed, bound, frames, derivedBytes } = this.#shared;
    const slabs = new ByteSlabs();
    const context: ObjectContext = { resource: this.#resource, frames, derivedBytes, slabs };
    const startMs = clock.nowMs();
    this.#unreadySinceMs ??= startMs;
    const filling = new Filling(context, {
      storage,
      limits,
      feed,
      makeRoom: () => bound.makeRoom(),
    });
    this.#filling = filling;
    this.#usedMs = startMs;
    void filling.finished.then((outcome) => this.#finishFilling(filling, outcome, startMs));
    return filling;
  }

  apply(event: ChangeEvent): void {
    this.#filling?.apply(event);
    if (this.#state !== undefined) this.#change(this.#state, event);
  }

  /** Called when the feed has failed. */
  interrupt({ stateLost }: { stateLost: boolean }): void {
    this.#unreadySinceMs ??= this.#nowMs;
    if (stateLost) this.#discard();
  }

  /** Frees memory; the cache returns when there is room again. */
  drop(): void {
    this.#refused = { bytes: this.bytes, atMs: this.#nowMs };
    this.#discard();
  }

  close(): void {
    this.#closed = true;
    this.#discard();
  }

  /** The error of requests that need a filled cache: its delay grows with the time without one. */
  initializing(): StatusError {
    const sinceMs = this.#unreadySinceMs ?? this.#nowMs;
    return storageInitializing(Math.max(this.#nowMs - sinceMs, this.#shared.feed.downMs));
  }

  get #nowMs(): number {
    return this.#shared.clock.nowMs();
  }

  /** Before this the filling received every change; after it the state does. */
  #finishFilling(filling: Filling, outcome: FillingOutcome, startMs: number): void {
    if (this.#filling !== filling) return;
    this.#filling = undefined;
    const { metrics } = this.#shared;
    const { prefix } = this.#resource;
    const nowMs = this.#nowMs;
    switch (outcome.kind) {
      case 'filled':
        this.#refused = undefined;
        this.#state = filling.state;
        metrics.filled(prefix, { objects: filling.state.size, tookMs: nowMs - startMs });
        return;
      case 'noRoom':
        this.#refused = { bytes: outcome.bytes, atMs: nowMs };
        metrics.dropped(prefix, outcome.bytes);
        return;
      case 'failed':
        metrics.fillFailed(prefix, outcome.error);
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
    const current = event.kind === 'put' ? decode(state, event, known) : undefined;
    const { revision } = event;
    const record = state.change(event.key, { revision, atMs: this.#nowMs, current });
    state.watchers.dispatch(record);
  }

  #discard(): void {
    const { derivedBytes } = this.#shared;
    this.#filling?.abort();
    this.#filling = undefined;
    const state = this.#state;
    this.#state = undefined;
    if (state === undefined) return;
    state.context.derivedBytes = undefined;
    derivedBytes.forgetAll((owner) => owner.isOf(state.context));
  }
}

/** All revisions of an object share one string as their key. */
function decode(
  state: ResourceState,
  event: ChangeEvent & { kind: 'put' },
  known: ResourceObject | undefined,
): ResourceObject {
  const key = known?.key ?? event.key;
  const { revision, unreadable } = event;
  if (unreadable)
    return decodeStored(state.context, unreadableStored({ key, revision }, unreadable));
  return decodeStored(state.context, { key, value: event.value, revision });
}

function unreachable(value: never): never {
  throw new Error(`not a case: ${JSON.stringify(value)}`);
}
