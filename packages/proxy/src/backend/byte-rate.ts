import type { Clock } from '@tributary/client';

/** New requests are refused while what was read already needs so long. */
export const DEBT_SECONDS_MAX = 3;

/**
 * How fast answers are read, over all of one server. What has come is never held back; who takes more than there is
 * makes debts, and everybody waits until they are paid. A second may be saved up.
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

  /** Debts stay; they are paid at the new rate. */
  set bytesPerSecond(value: number) {
    this.#settle();
    this.#bytesPerSecond = value;
    this.#balance = Math.min(this.#balance, value);
  }

  /** How long nothing more may be read. */
  get debtSeconds(): number {
    this.#settle();
    return Math.max(0, -this.#balance / this.#bytesPerSecond);
  }

  take(bytes: number): void {
    this.#settle();
    this.#balance -= bytes;
  }

  #settle(): void {
    const nowMs = this.#clock.nowMs();
    const earned = (Math.max(0, nowMs - this.#atMs) / 1000) * this.#bytesPerSecond;
    this.#balance = Math.min(this.#bytesPerSecond, this.#balance + earned);
    this.#atMs = nowMs;
  }
}
