/** A priority level from the pool's point of view. */
export interface SeatHolder {
  readonly limits: { readonly nominal: number; readonly lower: number; readonly upper: number };
  readonly taken: number;
  /** The number of seats that the next waiting request needs. */
  readonly nextWidth: number;
  /** Seats the next waiting request; returns whether more wait. */
  seatNext(): boolean;
}

/**
 * Seats that levels lend each other. Every level always has its lower limit; seats beyond it come from the pool, which
 * has the lendable seats of all levels. Upstream adjusts limits every ten seconds to the demand; here a seat is lent on
 * demand, and returns first to a level below its nominal limit.
 */
export class SeatPool {
  #size = 0;
  #lentCount = 0;
  /** Levels with waiting requests, in the order of their turns. */
  readonly #waiting = new Set<SeatHolder>();

  /** Called after limits have changed. */
  configure(holders: readonly SeatHolder[]): void {
    this.#size = 0;
    this.#lentCount = 0;
    for (const { limits, taken } of holders) {
      this.#size += limits.nominal - limits.lower;
      this.#lentCount += Math.max(0, taken - limits.lower);
    }
    this.dispatch();
  }

  /** Lendable seats that are not lent. */
  get free(): number {
    return Math.max(0, this.#size - this.#lentCount);
  }

  mayTake({ limits, taken }: SeatHolder, width: number): boolean {
    if (taken + width <= limits.lower) return true;
    return (
      taken + width <= limits.upper &&
      this.#lentCount + borrowed(limits, taken, width) <= this.#size
    );
  }

  /** Called before the holder counts the seats. */
  take({ limits, taken }: SeatHolder, width: number): void {
    this.#lentCount += borrowed(limits, taken, width);
  }

  /** Called after the holder has uncounted the seats. */
  release({ limits, taken }: SeatHolder, width: number): void {
    this.#lentCount -= borrowed(limits, taken, width);
    if (this.#waiting.size > 0) this.dispatch();
  }

  /** Registers a level with a waiting request. */
  addWaiting(holder: SeatHolder): void {
    this.#waiting.add(holder);
    this.dispatch();
  }

  /** Seats waiting requests while there are seats: first those of levels below their nominal limit. */
  dispatch(): void {
    for (;;) {
      const next = this.#next();
      if (next === undefined) return;
      this.#waiting.delete(next);
      if (next.seatNext()) this.#waiting.add(next);
    }
  }

  #next(): SeatHolder | undefined {
    let borrower: SeatHolder | undefined;
    for (const holder of this.#waiting) {
      if (!this.mayTake(holder, holder.nextWidth)) continue;
      if (holder.taken < holder.limits.nominal) return holder;
      borrower ??= holder;
    }
    return borrower;
  }
}

/** The seats beyond the lower limit among those to be taken. */
function borrowed({ lower }: SeatHolder['limits'], taken: number, width: number): number {
  return Math.max(0, taken + width - Math.max(lower, taken));
}
