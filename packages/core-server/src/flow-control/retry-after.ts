/** As upstream: the value doubles while many requests are rejected, and decreases by one while few are. */
const RETRY_AFTER_SECONDS_MAX = 32;

/** The Retry-After of rejected requests, which grows while many are rejected. */
export class RetryAfter {
  readonly #nowMs: () => number;
  /** Past seconds, oldest first; at most as many as the longest Retry-After. */
  #history: { readonly second: number; readonly dropped: number }[] = [];
  #second = 0;
  #dropped = 0;
  #raisedAt = 0;
  #seconds = 1;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  get seconds(): number {
    return this.#seconds;
  }

  /** Counts a rejection. */
  add(): void {
    const second = Math.floor(this.#nowMs() / 1000);
    if (second === this.#second) {
      this.#dropped += 1;
      return;
    }
    this.#remember();
    this.#second = second;
    this.#dropped = 1;
    this.#adjust(second);
  }

  #remember(): void {
    this.#history.push({ second: this.#second, dropped: this.#dropped });
    const keepSeconds = Math.min(2 * this.#seconds, RETRY_AFTER_SECONDS_MAX);
    this.#history = this.#history.filter(({ second }) => this.#second - second <= keepSeconds);
  }

  #adjust(now: number): void {
    const seconds = this.#seconds;
    let dropped = 0;
    for (const one of this.#history) if (now - one.second <= seconds) dropped += one.dropped;
    if (now - this.#raisedAt >= seconds && dropped >= 3 * seconds) {
      this.#seconds = Math.min(seconds * 2, RETRY_AFTER_SECONDS_MAX);
      this.#raisedAt = now;
    } else if (dropped < seconds && seconds > 1) {
      this.#seconds = seconds - 1;
    }
  }
}
