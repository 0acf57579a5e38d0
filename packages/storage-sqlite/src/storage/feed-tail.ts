import { type ChangeEvent, EventLog, type FeedBatch, type Revision } from '@tributary/storage';

/** The maximum that is retained for slow feeds; a feed further behind reads from the disk. */
const EVENTS_MAX = 10_000;
const BYTES_MAX = 16 * 1024 * 1024;
/** A batch has about this many events; one commit is never split. */
const BATCH_EVENTS = 1000;

/** The progress of a feed; the tail retains the events after the slowest one. */
export interface FeedPosition {
  progress: Revision;
}

/** The newest events, shared by all feeds of this process. */
export class FeedTail {
  readonly #log = new EventLog();
  #start: Revision;
  #end: Revision;
  readonly #positions = new Set<FeedPosition>();
  readonly #sleepers = new Set<() => void>();

  /** Starts empty at a revision. */
  constructor(revision: Revision) {
    this.#start = revision;
    this.#end = revision;
  }

  /** Every event up to this revision is or was in the tail. */
  get end(): Revision {
    return this.#end;
  }

  /** Whether all events after a revision are in the tail. */
  covers(revision: Revision): boolean {
    return revision >= this.#start;
  }

  join(progress: Revision): FeedPosition {
    const position = { progress };
    this.#positions.add(position);
    return position;
  }

  leave(position: FeedPosition): void {
    this.#positions.delete(position);
    this.#trim();
  }

  append(event: ChangeEvent): void {
    this.#log.append(event);
  }

  /** The store reached a revision, and the events before it are unknown here. */
  skipTo(revision: Revision): void {
    this.#start = revision;
    this.#end = revision;
    this.wake();
  }

  /** All events up to a revision have been appended. */
  reached(revision: Revision): void {
    if (revision === this.#end) return;
    this.#end = revision;
    this.#trim();
    this.wake();
  }

  after({ progress }: FeedPosition): FeedBatch {
    const events = this.#log.after(progress, BATCH_EVENTS);
    const last = events.length < BATCH_EVENTS ? this.#end : events.at(-1)?.revision;
    return { events, progress: last ?? this.#end };
  }

  wake(): void {
    for (const wake of this.#sleepers) wake();
  }

  /** Waits for a change or the signal. */
  async sleep(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => resolve();
    this.#sleepers.add(wake);
    signal.addEventListener('abort', wake);
    try {
      await promise;
    } finally {
      this.#sleepers.delete(wake);
      signal.removeEventListener('abort', wake);
    }
  }

  #trim(): void {
    const read = Math.min(this.#end, ...Array.from(this.#positions, ({ progress }) => progress));
    this.#forgetUpTo(read as Revision);
    for (let { oldest } = this.#log; oldest && this.#isTooLarge(); { oldest } = this.#log) {
      this.#forgetUpTo(oldest.revision);
    }
  }

  #isTooLarge(): boolean {
    return this.#log.length > EVENTS_MAX || this.#log.valueBytes > BYTES_MAX;
  }

  #forgetUpTo(revision: Revision): void {
    this.#log.removeUpTo(revision);
    if (revision > this.#start) this.#start = revision;
  }
}
