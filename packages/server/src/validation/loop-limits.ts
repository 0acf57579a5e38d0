/** What may be done on the loop before the thread is asked. */
export interface LoopLimits {
  /** Of all rules of an object. Others wait so long, and for the one evaluation or compilation that is under way then. */
  readonly ms: number;
  /** Of one evaluation: a twentieth of the most it may cost, and a few milliseconds. */
  readonly cost: number;
  /** Of a rule that must be compiled; four thousand characters take about as long. */
  readonly ruleLength: number;
}

export const loopLimits: LoopLimits = { ms: 8, cost: 50_000, ruleLength: 4_000 };
