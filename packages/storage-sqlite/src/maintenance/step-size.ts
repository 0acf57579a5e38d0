export interface StepBounds {
  readonly start: number;
  readonly min: number;
  readonly max: number;
  readonly budgetMs: number;
}

/** The number of rows of a step, adapted to the duration of the last steps. */
export class StepSize {
  readonly #bounds: StepBounds;
  #rows: number;

  constructor(bounds: StepBounds) {
    this.#bounds = bounds;
    this.#rows = bounds.start;
  }

  get rows(): number {
    return Math.round(this.#rows);
  }

  /** `rows` is the number of rows that the step processed, which may be below the limit. */
  adapt(ms: number, rows: number): void {
    const { min, max, budgetMs } = this.#bounds;
    this.#rows = Math.min(
      Math.max(this.#rows * factor(budgetMs / ms, rows / this.#rows), min),
      max,
    );
  }
}

/** Shrinks quickly and grows slowly; a step that had little to do is no reason to grow. */
function factor(fits: number, used: number): number {
  if (fits < 1) return Math.max(fits, 0.5);
  return used < 0.75 ? 1 : Math.min(fits, 1.25);
}
