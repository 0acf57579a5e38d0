/** A level as the pool sees it. */
export interface SeatHolder {
  readonly limits: { readonly nominal: number; readonly lower: number; readonly upper: number };
  readonly taken: number;
  /** How many seats the one that waits longest needs. */
  readonly nextWidth: number;
  /** Seats somebody who waits; whether there was one. */
  seatNext(): boolean;
}

/**
 * Seats that levels lend each other. Every level always has its lower limit; what it takes beyond that comes out of
 * the pool, in which are the lendable seats of all. Upstream adjusts limits every ten seconds to what was asked for;
 * here a seat is lent at the moment it is asked for, and goes back first to a level below its own share.
 */
export class SeatPool {
  #size = 0;
  #lent = 0;
  /** Levels in which somebody waits, in the order of their turns. */
  readonly #waiting = new Set<SeatHolder>();

  /** After limits have changed. */
  configure(holders: readonly SeatHolder[]): void {
    this.#size = 0;
    this.#lent = 0;
    for (const { limits, taken } of holders) {
      this.#size += limits.nominal - limits.lower;
      this.#lent += Math.max(0, taken - limits.lower);
    }
    this.dispatch();
  }

  /** Seats that nobody has taken out. */
  get free(): number {
    return Math.max(0, this.#size - this.#lent);
  }

  mayTake({ limits, taken }: SeatHolder, width: number): boolean {
    if (taken + width <= limits.lower) return true;
    return (
      taken + width <= limits.upper && this.#lent + borrowed(limits, taken, width) <= this.#size
    );
  }

  /** Before the holder counts them. */
  take({ limits, taken }: SeatHolder, width: number): void {
    this.#lent += borrowed(limits, taken, width);
  }

  /** After the holder has counted them. */
  giveBack({ limits, taken }: SeatHolder, width: number): void {
    this.#lent -= borrowed(limits, taken, width);
    if (this.#waiting.size > 0) this.dispatch();
  }

  /** Somebody waits there. */
  await(holder: SeatHolder): void {
    this.#waiting.add(holder);
    this.dispatch();
  }

  /** Seats everybody there is a seat for: those who are below their share before those who borrow. */
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

/** Of the seats after those that are taken, what is beyond the lower limit. */
function borrowed({ lower }: SeatHolder['limits'], taken: number, width: number): number {
  return Math.max(0, taken + width - Math.max(lower, taken));
}
