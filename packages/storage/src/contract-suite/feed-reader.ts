import assert from 'node:assert/strict';
import type { Revision } from '../contract/revision.ts';
import type { ChangeEvent, FeedBatch, Storage } from '../contract/storage.ts';
import { within } from './actions.ts';

/** Reads a feed step by step and checks the contract of feeds batch by batch. */
export class FeedReader {
  readonly #stop = new AbortController();
  readonly #batches: AsyncIterator<FeedBatch>;
  readonly #waitMs: number;
  /** A read that timed out is still under way; the next one continues with it. */
  #pending: Promise<IteratorResult<FeedBatch>> | undefined;
  progress: Revision;
  readonly events: ChangeEvent[] = [];

  constructor(storage: Storage, after: Revision, waitMs: number) {
    this.progress = after;
    this.#waitMs = waitMs;
    this.#batches = storage.feed(after, { signal: this.#stop.signal })[Symbol.asyncIterator]();
  }

  /** The next batch; `silent` when none arrives in that time. */
  async next(waitMs = this.#waitMs): Promise<FeedBatch | 'ended' | 'silent'> {
    this.#pending ??= this.#batches.next();
    const result = await orSilent(this.#pending, waitMs);
    if (result === 'silent') return 'silent';
    this.#pending = undefined;
    if (result.done) return 'ended';
    this.#check(result.value);
    this.progress = result.value.progress;
    this.events.push(...result.value.events);
    return result.value;
  }

  /** All events up to a revision; fails when they do not arrive. */
  async until(revision: Revision): Promise<readonly ChangeEvent[]> {
    while (this.progress < revision) await this.#step(`progress ${revision}`);
    return this.events;
  }

  /** All events up to and including the first match. */
  async untilEvent(what: string, fits: (event: ChangeEvent) => boolean): Promise<ChangeEvent> {
    for (let seen = 0; ; ) {
      for (; seen < this.events.length; seen += 1) {
        const event = this.events[seen];
        if (event !== undefined && fits(event)) return event;
      }
      await this.#step(what);
    }
  }

  async close(): Promise<void> {
    this.#stop.abort();
    const ended = this.#pending ?? this.#batches.next();
    const result = await within('the end of an aborted feed', this.#waitMs, ended);
    // A batch already under way may still arrive; after it comes the end.
    if (!result.done) {
      const last = await within('the end of an aborted feed', this.#waitMs, this.#batches.next());
      assert.equal(last.done, true, 'an aborted feed ends');
    }
  }

  async #step(what: string): Promise<void> {
    const batch = await this.next();
    assert.ok(typeof batch === 'object', `waiting for ${what}, the feed is ${String(batch)}`);
  }

  #check({ events, progress }: FeedBatch): void {
    assert.ok(progress >= this.progress, `progress went back from ${this.progress} to ${progress}`);
    let last = this.progress;
    for (const { revision } of events) {
      assert.ok(revision > this.progress, 'an event that progress said was delivered');
      assert.ok(revision >= last, `revision ${revision} after ${last}`);
      assert.ok(revision <= progress, 'progress stands before an event of its batch');
      last = revision;
    }
  }
}

async function orSilent<Value>(promise: Promise<Value>, waitMs: number): Promise<Value | 'silent'> {
  const { promise: silence, resolve } = Promise.withResolvers<'silent'>();
  const timer = setTimeout(() => resolve('silent'), waitMs);
  try {
    return await Promise.race([promise, silence]);
  } finally {
    clearTimeout(timer);
  }
}
