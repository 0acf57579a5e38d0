import type { ChangeEvent, Revision } from '@tributary/storage';

/** What is held for slow feeds at most; a feed further behind reads from the disk. */
const EVENTS_MAX = 10_000;
const BYTES_MAX = 16 * 1024 * 1024;
/** A batch is about this long; one commit is never split. */
const BATCH_EVENTS = 1000;

/** Where a feed stands; the tail keeps what the slowest has not read. */
export interface FeedPosition {
  progress: Revision;
}

/** The newest events, shared by all feeds of this process. */
export class FeedTail {
  #events: ChangeEvent[] = [];
  #bytes = 0;
  #start: Revision;
  #end: Revision;
  readonly #positions = new Set<FeedPosition>();
  readonly #sleepers = new Set<() => void>();

  /** Begins empty at a revision. */
  constructor(revision: Revision) {
    this.#start = revision;
    this.#end = revision;
  }

  /** Every event up to here is in the tail or was. */
  get end(): Revision {
    return this.#end;
  }

  /** Whether all events after a revision are still here. */
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
    this.#events.push(event);
    this.#bytes += bytesOf(event);
  }

  /** All events up to a revision have been appended. */
  reached(revision: Revision): void {
    if (revision === this.#end) return;
    this.#end = revision;
    this.#trim();
    this.wake();
  }

  after({ progress }: FeedPosition): { events: readonly ChangeEvent[]; progress: Revision } {
    const first = this.#events.findIndex(({ revision }) => revision > progress);
    if (first === -1) return { events: [], progress: this.#end };
    let end = Math.min(first + BATCH_EVENTS, this.#events.length);
    while (this.#events[end] && this.#events[end]?.revision === this.#events[end - 1]?.revision) {
      end += 1;
    }
    const events = this.#events.slice(first, end);
    const last = end === this.#events.length ? this.#end : events.at(-1)?.revision;
    return { events, progress: last ?? this.#end };
  }

  wake(): void {
    for (const wake of this.#sleepers) wake();
  }

  /** Until something changes or the signal fires. */
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
    const slowest = Math.min(this.#end, ...Array.from(this.#positions, ({ progress }) => progress));
    let drop = 0;
    for (const event of this.#events) {
      const isTooMuch = this.#events.length - drop > EVENTS_MAX || this.#bytes > BYTES_MAX;
      if (event.revision > slowest && !isTooMuch) break;
      this.#bytes -= bytesOf(event);
      this.#start = event.revision;
      drop += 1;
    }
    // A commit may be cut in two here: who stands before it reads all of it from the disk.
    this.#events.splice(0, drop);
    if (this.#events.length === 0) this.#start = this.#end;
  }
}

function bytesOf(event: ChangeEvent): number {
  const written = event.kind === 'put' ? event.value.byteLength : 0;
  return written + (event.previous?.value.byteLength ?? 0);
}
