import type { Clock } from '@tributary/client';

/** How often a server is asked, over all requests to it. A second of requests may be saved up. */
export class RequestRate {
  readonly #clock: Clock;
  #perSecond: number;
  #balance: number;
  #atMs: number;

  constructor(perSecond: number, clock: Clock) {
    this.#clock = clock;
    this.#perSecond = perSecond;
    this.#balance = perSecond;
    this.#atMs = clock.nowMs();
  }

  get perSecond(): number {
    return this.#perSecond;
  }

  set perSecond(value: number) {
    this.#settle();
    this.#perSecond = value;
    this.#balance = Math.min(this.#balance, value);
  }

  /** Takes one request; otherwise the seconds until there is one. */
  take(): number {
    this.#settle();
    if (this.#balance < 1) return (1 - this.#balance) / this.#perSecond;
    this.#balance -= 1;
    return 0;
  }

  #settle(): void {
    const nowMs = this.#clock.nowMs();
    const earned = (Math.max(0, nowMs - this.#atMs) / 1000) * this.#perSecond;
    this.#balance = Math.min(this.#perSecond, this.#balance + earned);
    this.#atMs = nowMs;
  }
}
