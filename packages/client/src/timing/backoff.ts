import type { Clock } from './clock.ts';

export interface BackoffOptions {
  readonly initialMs: number;
  readonly maxMs: number;
  readonly factor: number;
  /** Up to this share of the delay is added, so that clients of one server do not reconnect at once. */
  readonly jitter: number;
  /** After this time without a failure the delays start small again. */
  readonly resetMs: number;
}

/** The values of client-go's reflectors: at most one attempt every 30 to 60 seconds against a failing server. */
export const REFLECTOR_BACKOFF: BackoffOptions = {
  initialMs: 800,
  maxMs: 30_000,
  factor: 2,
  jitter: 1,
  resetMs: 120_000,
};

/** Delays that grow, up to a bound, with jitter. */
export class Backoff {
  readonly #options: BackoffOptions;
  readonly #clock: Clock;
  readonly #random: () => number;
  #delayMs: number;
  #pausedAtMs: number;

  constructor(options: BackoffOptions, { clock, random }: { clock: Clock; random: () => number }) {
    this.#options = options;
    this.#clock = clock;
    this.#random = random;
    this.#delayMs = options.initialMs;
    this.#pausedAtMs = clock.nowMs();
  }

  /** The current delay. */
  next(): number {
    const { initialMs, maxMs, factor, jitter, resetMs } = this.#options;
    const nowMs = this.#clock.nowMs();
    if (nowMs - this.#pausedAtMs > resetMs) this.#delayMs = initialMs;
    const delayMs = this.#delayMs;
    this.#delayMs = Math.min(delayMs * factor, maxMs);
    const pauseMs = delayMs * (1 + this.#random() * jitter);
    this.#pausedAtMs = nowMs + pauseMs;
    return pauseMs;
  }
}
