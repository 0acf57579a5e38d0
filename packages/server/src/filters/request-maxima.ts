/** A number and its maximum. */
export class Maximum {
  #now = 0;
  #peak = 0;

  add(by: 1 | -1): void {
    this.#now += by;
    if (this.#now > this.#peak) this.#peak = this.#now;
  }

  /** The maximum since the last call. */
  take(): number {
    const peak = this.#peak;
    this.#peak = this.#now;
    return peak;
  }
}

/** The maxima of executing and of waiting requests. */
export class Maxima {
  readonly served = new Maximum();
  readonly waiting = new Maximum();

  peaks(): { taken: number; waiting: number } {
    return { taken: this.served.take(), waiting: this.waiting.take() };
  }
}

const READ_VERBS: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/** Reads and writes separately, as in the metrics. */
export class RequestMaxima {
  readonly readOnly = new Maxima();
  readonly mutating = new Maxima();

  of(verb: string): Maxima {
    return READ_VERBS.has(verb) ? this.readOnly : this.mutating;
  }
}
