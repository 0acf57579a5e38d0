/** A request should not wait longer for upkeep. */
const SLOW_MS = 20;

/** How long the steps of some upkeep made commits wait, for those who ask. */
export class StepTimes {
  count = 0;
  longestMs = 0;
  slow = 0;

  took(ms: number): void {
    this.count += 1;
    this.longestMs = Math.max(this.longestMs, ms);
    if (ms > SLOW_MS) this.slow += 1;
  }
}
