/** A number and the most that it was. */
export class Peak {
  #now = 0;
  #peak = 0;

  add(by: 1 | -1): void {
    this.#now += by;
    if (this.#now > this.#peak) this.#peak = this.#now;
  }

  /** The most since the last time this was asked. */
  take(): number {
    const peak = this.#peak;
    this.#peak = this.#now;
    return peak;
  }
}

/** How many requests of a kind were served and waited at once. */
export class Peaks {
  readonly served = new Peak();
  readonly waiting = new Peak();

  peaks(): { taken: number; waiting: number } {
    return { taken: this.served.take(), waiting: this.waiting.take() };
  }
}

const READ_VERBS: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/** Reads and writes apart, as their figures are. */
export class RequestPeaks {
  readonly readOnly = new Peaks();
  readonly mutating = new Peaks();

  of(verb: string): Peaks {
    return READ_VERBS.has(verb) ? this.readOnly : this.mutating;
  }
}
