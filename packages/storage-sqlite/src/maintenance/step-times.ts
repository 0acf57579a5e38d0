/** A request should not wait longer for maintenance. */
const SLOW_MS = 20;

/** Statistics of the steps of one kind of maintenance, which make commits wait. */
export class StepTimes {
  count = 0;
  longestMs = 0;
  slow = 0;

  record(ms: number): void {
    this.count += 1;
    this.longestMs = Math.max(this.longestMs, ms);
    if (ms > SLOW_MS) this.slow += 1;
  }
}
