import type { Revision } from '@tributary/storage';
import type { ChangeRecord } from './change-record.ts';
import type { WatchCacheLimits } from './limits.ts';

export type EventWindowLimits = Pick<
  WatchCacheLimits,
  'historyEventsMin' | 'historyEventsMax' | 'historyBytesMax' | 'historyFreshMs'
>;

/**
 * The recent changes of one resource, for watches that resume. It holds `historyEventsMin` and
 * doubles while it is full of fresh changes, as upstream's watch cache does; `trim` gives the room
 * back. Whoever is behind it is replayed from the engine's own history.
 */
export class EventWindow {
  readonly #limits: EventWindowLimits;
  /** Records before `#first` are gone; they are cut off in runs, so that dropping one is not a copy. */
  #records: (ChangeRecord | undefined)[] = [];
  #first = 0;
  #capacity: number;
  #bytes = 0;
  #start = 0 as Revision;

  constructor(limits: EventWindowLimits) {
    this.#limits = limits;
    this.#capacity = limits.historyEventsMin;
  }

  /** Of an empty window: where the changes that it will be given begin. */
  beginAt(revision: Revision): void {
    this.#start = revision;
  }

  /** Every change after this revision is here. */
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

  /** Gives back what a burst made the window grow to, once it is no longer fresh. */
  trim(nowMs: number): void {
    const { historyEventsMin, historyFreshMs } = this.#limits;
    while (this.length > historyEventsMin && !this.#isFresh(nowMs - historyFreshMs)) {
      this.#dropFirst();
    }
    while (this.#capacity > historyEventsMin && this.length <= this.#capacity / 4) {
      this.#capacity = Math.max(historyEventsMin, Math.floor(this.#capacity / 2));
    }
  }

  /** Gives back all but the minimum: others need the room more. */
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
