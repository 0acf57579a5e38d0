import type { Clock } from '@tributary/storage';

/**
 * Why and when a request ends early: its client is gone, or its time is up. Most requests are answered from memory
 * before anybody asks, so the signal and the timer are made only for those who do.
 */
export class Cancellation {
  #controller: AbortController | undefined;
  #reason: Error | undefined;
  #deadline: { clock: Clock; atMs: number; reason: () => Error } | undefined;
  #cancelTimer: (() => void) | undefined;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
      else this.#startTimer();
    }
    return this.#controller.signal;
  }

  get reason(): Error | undefined {
    return this.#reason;
  }

  /** When the time of the request is up; absent while nothing limits it. */
  get deadlineMs(): number | undefined {
    return this.#deadline?.atMs;
  }

  abort(reason: Error): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.release();
    this.#controller?.abort(reason);
  }

  /** Ends the request after a time, unless it is released before. */
  limit(clock: Clock, afterMs: number, reason: () => Error): void {
    if (this.#reason !== undefined) return;
    this.release();
    this.#deadline = { clock, atMs: clock.nowMs() + afterMs, reason };
    if (this.#controller !== undefined) this.#startTimer();
  }

  /** The time limit counts no longer. */
  release(): void {
    this.#deadline = undefined;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #startTimer(): void {
    if (this.#deadline === undefined) return;
    const { clock, atMs, reason } = this.#deadline;
    this.#cancelTimer = clock.schedule(atMs - clock.nowMs(), () => this.abort(reason()));
  }
}

/** Who waits for a conversion; a signal is not free, and is asked for only by who waits. */
export interface SignalSource {
  readonly signal: AbortSignal;
}
