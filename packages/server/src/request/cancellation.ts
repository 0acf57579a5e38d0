import type { Clock } from '@tributary/storage';

/**
 * Why and when a request ends early: the client disconnected, or the deadline passed. The signal and the timer are
 * created on first use, because most requests are served from memory before anything waits.
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

  /** The deadline of the request; absent while it has none. */
  get deadlineMs(): number | undefined {
    return this.#deadline?.atMs;
  }

  abort(reason: Error): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.release();
    this.#controller?.abort(reason);
  }

  /** Sets a deadline, until `release`. */
  limit(clock: Clock, afterMs: number, reason: () => Error): void {
    if (this.#reason !== undefined) return;
    this.release();
    this.#deadline = { clock, atMs: clock.nowMs() + afterMs, reason };
    if (this.#controller !== undefined) this.#startTimer();
  }

  /** Removes the deadline. */
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

/** A holder of an AbortSignal, which is created on first access because most requests never need it. */
export interface SignalSource {
  readonly signal: AbortSignal;
}
