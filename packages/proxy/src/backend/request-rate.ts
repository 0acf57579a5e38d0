import type { Clock } from '@tributary/client';

/** The rate of requests to a server. Up to a second is saved up. */
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
    this.#refill();
    this.#perSecond = value;
    this.#balance = Math.min(this.#balance, value);
  }

  /** Takes one request, or returns the seconds until the next one. */
  take(): number {
    this.#refill();
    if (this.#balance < 1) return (1 - this.#balance) / this.#perSecond;
    this.#balance -= 1;
    return 0;
  }

  #refill(): void {
    const nowMs = this.#clock.nowMs();
    const earned = (Math.max(0, nowMs - this.#atMs) / 1000) * this.#perSecond;
    this.#balance = Math.min(this.#perSecond, this.#balance + earned);
    this.#atMs = nowMs;
  }
}
