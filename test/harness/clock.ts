/** A virtual clock that a test advances. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '@tributary/storage';

interface Entry {
  dueMs: number;
  run: () => void;
}

/**
 * Time stands still until `advance`. Unlike storage's `manualClock`, which fires timers at once, this clock runs
 * pending promise callbacks between timers, so that loops of `await clock.sleep(…)` take as many turns as in real
 * time.
 */
export class VirtualClock implements Clock {
  #nowMs: number;
  readonly #entries = new Set<Entry>();

  constructor(startMs: number = Date.UTC(2025, 0, 1)) {
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  schedule(delayMs: number, run: () => void): () => void {
    const entry: Entry = { dueMs: this.#nowMs + Math.max(0, delayMs), run };
    this.#entries.add(entry);
    return () => void this.#entries.delete(entry);
  }

  /** Rejects with the signal's reason when the signal aborts first. */
  async sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const cancel = this.schedule(delayMs, resolve);
    const abort = (): void => reject(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      await promise;
    } finally {
      cancel();
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Number of pending timers. */
  get pending(): number {
    return this.#entries.size;
  }

  /** Moves the time forward and fires due timers in order, including timers that are set on the way. */
  async advance(byMs: number): Promise<void> {
    const endMs = this.#nowMs + byMs;
    await turn();
    for (let entry = this.#nextUntil(endMs); entry; entry = this.#nextUntil(endMs)) {
      this.#entries.delete(entry);
      this.#nowMs = entry.dueMs;
      entry.run();
      await turn();
    }
    this.#nowMs = endMs;
  }

  /** Timers of the same time fire in the order in which they were set. */
  #nextUntil(endMs: number): Entry | undefined {
    let next: Entry | undefined;
    for (const entry of this.#entries) {
      if (entry.dueMs <= endMs && (next === undefined || entry.dueMs < next.dueMs)) next = entry;
    }
    return next;
  }
}
