import type { Revision } from '@tributary/storage';
import type { ChangeRecord } from './change-record.ts';
import type { WatchCacheLimits } from './limits.ts';

export type EventWindowLimits = Pick<
  WatchCacheLimits,
  'historyEventsMin' | 'historyEventsMax' | 'historyBytesMax' | 'historyFreshMs'
>;

/**
 * The recent changes of one resource, for watches that resume. It starts with `historyEventsMin` and doubles while it
 * is full of fresh changes, as upstream's watch cache does; `trim` shrinks it. A watch that is further behind is
 * replayed from the engine's history.
 */
export class EventWindow {
  readonly #limits: EventWindowLimits;
  /**
   * Records before `#first` were dropped; the array is cut in runs, so that dropping one record does not copy the
   * others.
   */
  #records: (ChangeRecord | undefined)[] = [];
  #first = 0;
  #capacity: number;
  #bytes = 0;
  #start = 0 as Revision;

  constructor(limits: EventWindowLimits) {
    this.#limits = limits;
    this.#capacity = limits.historyEventsMin;
  }

  /** Sets the revision after which the changes of an empty window begin. */
  beginAt(revision: Revision): void {
    this.#start = revision;
  }

  /** The window contains every change after this revision. */
  get start(): Revision {
    return this.#start;
  }

  get length(): number {
    return this.#records.length - this.#first;
  }

  get capacity(): number {
    return this.#capacity;
  }

  get bytes(): number {
    return this.#bytes;
  }

  push(record: ChangeRecord): void {
    if (this.length >= this.#capacity) this.#makeRoom(record.atMs);
    this.#records.push(record);
    this.#bytes += record.size;
    while (this.#bytes > this.#limits.historyBytesMax && this.length > 1) this.#dropFirst();
  }

  /** The changes after a revision not before `start`, in order. */
  after(revision: Revision): ChangeRecord[] {
    let low = this.#first;
    let high = this.#records.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#records[middle]?.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return this.#records.slice(low) as ChangeRecord[];
  }

  /** Shrinks a window that grew in a burst, once its changes are no longer fresh. */
  trim(nowMs: number): void {
    const { historyEventsMin, historyFreshMs } = this.#limits;
    while (this.length > historyEventsMin && !this.#isFresh(nowMs - historyFreshMs)) {
      this.#dropFirst();
    }
    while (this.#capacity > historyEventsMin && this.length <= this.#capacity / 4) {
      this.#capacity = Math.max(historyEventsMin, Math.floor(this.#capacity / 2));
    }
  }

  /** Shrinks to the minimum: other caches need the memory more. */
  shrink(): void {
    while (this.length > this.#limits.historyEventsMin) this.#dropFirst();
    this.#capacity = this.#limits.historyEventsMin;
  }

  #makeRoom(nowMs: number): void {
    const { historyEventsMax, historyFreshMs } = this.#limits;
    if (this.#isFresh(nowMs - historyFreshMs) && this.#capacity < historyEventsMax) {
      this.#capacity = Math.min(this.#capacity * 2, historyEventsMax);
    } else {
      this.#dropFirst();
    }
  }

  #isFresh(sinceMs: number): boolean {
    return (this.#records[this.#first]?.atMs ?? 0) > sinceMs;
  }

  #dropFirst(): void {
    const record = this.#records[this.#first];
    if (record === undefined) return;
    this.#records[this.#first] = undefined;
    this.#first += 1;
    this.#bytes -= record.size;
    this.#start = record.revision;
    record.release();
    if (this.#first > 1000 && this.#first * 2 > this.#records.length) {
      this.#records = this.#records.slice(this.#first);
      this.#first = 0;
    }
  }
}
