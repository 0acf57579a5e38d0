/** A clock that a test moves by hand. */
import { setImmediate as settle } from 'node:timers/promises';
import type { Clock } from '@tributary/storage';

interface Entry {
  dueMs: number;
  run: () => void;
}

/**
 * Time stands still until `advance`. Where storage's `manualClock` fires timers at once, this one lets everything
 * that only waits for promises run in between, so loops of `await clock.sleep(…)` take as many turns as they would.
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

  /** Rejects with the signal's reason when it fires first. */
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

  /** How many timers wait. */
  get pending(): number {
    return this.#entries.size;
  }

  /** Moves the time forward and fires what falls due, in order, also what was set on the way. */
  async advance(byMs: number): Promise<void> {
    const endMs = this.#nowMs + byMs;
    await settle();
    for (let entry = this.#nextUntil(endMs); entry; entry = this.#nextUntil(endMs)) {
      this.#entries.delete(entry);
      this.#nowMs = entry.dueMs;
      entry.run();
      await settle();
    }
    this.#nowMs = endMs;
  }

  /** Equal times fire in the order they were set. */
  #nextUntil(endMs: number): Entry | undefined {
    let next: Entry | undefined;
    for (const entry of this.#entries) {
      if (entry.dueMs <= endMs && (next === undefined || entry.dueMs < next.dueMs)) next = entry;
    }
    return next;
  }
}
