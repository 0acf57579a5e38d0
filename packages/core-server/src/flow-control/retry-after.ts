/** As upstream: it doubles while many are turned away, and goes down by one when few are. */
const RETRY_AFTER_SECONDS_MAX = 32;

/** When those who are turned away should come again: the longer there are many of them, the later. */
export class RetryAfter {
  readonly #nowMs: () => number;
  /** Of seconds past, oldest first; as long as the longest time to come again. */
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

  /** One more was turned away. */
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
