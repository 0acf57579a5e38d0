export interface StepBounds {
  readonly start: number;
  readonly min: number;
  readonly max: number;
  readonly budgetMs: number;
}

/** How much a step of upkeep does, learnt from how long the last ones took. */
export class StepSize {
  readonly #bounds: StepBounds;
  #rows: number;
  /** For those who ask whether the steps are small enough. */
  count = 0;
  longestMs = 0;

  constructor(bounds: StepBounds) {
    this.#bounds = bounds;
    this.#rows = bounds.start;
  }

  get rows(): number {
    return Math.round(this.#rows);
  }

  /** `rows` is how much the step had to do, which may be less than allowed. */
  took(ms: number, rows: number): void {
    const { min, max, budgetMs } = this.#bounds;
    this.count += 1;
    this.longestMs = Math.max(this.longestMs, ms);
    const fits = budgetMs / Math.max(ms, 0.01);
    // Shrinks quickly and grows slowly; a step that had little to do is no reason to grow.
    const factor =
      fits < 1 ? Math.max(fits, 0.5) : rows < this.#rows * 0.75 ? 1 : Math.min(fits, 1.25);
    this.#rows = Math.min(Math.max(this.#rows * factor, min), max);
  }
}
