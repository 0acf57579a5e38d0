import type { Clock } from '@tributary/client';

/** New requests are refused while the bytes that were read already need so long. */
export const DEBT_SECONDS_MAX = 3;

/**
 * The rate of bytes of responses, over all requests to a server. A chunk that has arrived is never held back: it makes
 * a debt, and no request of the server reads on until the debt is paid. Up to a second is saved up.
 */
export class ByteRate {
  readonly #clock: Clock;
  #bytesPerSecond: number;
  #balance: number;
  #atMs: number;

  constructor(bytesPerSecond: number, clock: Clock) {
    this.#clock = clock;
    this.#bytesPerSecond = bytesPerSecond;
    this.#balance = bytesPerSecond;
    this.#atMs = clock.nowMs();
  }

  /** A debt remains, and is paid at the new rate. */
  set bytesPerSecond(value: number) {
    this.#refill();
    this.#bytesPerSecond = value;
    this.#balance = Math.min(this.#balance, value);
  }

  /** The time until the next byte may be read. */
  get debtSeconds(): number {
    this.#refill();
    return Math.max(0, -this.#balance / this.#bytesPerSecond);
  }

  take(bytes: number): void {
    this.#refill();
    this.#balance -= bytes;
  }

  #refill(): void {
    const nowMs = this.#clock.nowMs();
    const earned = (Math.max(0, nowMs - this.#atMs) / 1000) * this.#bytesPerSecond;
    this.#balance = Math.min(this.#bytesPerSecond, this.#balance + earned);
    this.#atMs = nowMs;
  }
}
