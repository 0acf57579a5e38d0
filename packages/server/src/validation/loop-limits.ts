/** Bounds of validation on the event loop; beyond them the thread takes over. */
export interface LoopLimits {
  /**
   * Time for all rules of an object. Other requests wait for this long, and for the evaluation or compilation in
   * progress.
   */
  readonly ms: number;
  /** Cost of one evaluation: a twentieth of the cost limit, a few milliseconds. */
  readonly cost: number;
  /** Length of a rule that must be compiled; four thousand characters take about as long. */
  readonly ruleLength: number;
}

export const loopLimits: LoopLimits = { ms: 8, cost: 50_000, ruleLength: 4_000 };
