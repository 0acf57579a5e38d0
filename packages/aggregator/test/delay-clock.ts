/** A virtual clock that tells its timers apart by their delays. */
import { VirtualClock } from '../../../test/harness/index.ts';

export class DelayClock extends VirtualClock {
  readonly #pending = new Set<{ readonly delayMs: number }>();

  override schedule(delayMs: number, run: () => void): () => void {
    const timer = { delayMs };
    this.#pending.add(timer);
    const cancel = super.schedule(delayMs, () => {
      this.#pending.delete(timer);
      run();
    });
    return () => {
      this.#pending.delete(timer);
      cancel();
    };
  }

  /** Whether a timer waits that was set for so long. */
  isWaiting(delayMs: number): boolean {
    return this.#pending.values().some((timer) => timer.delayMs === delayMs);
  }
}
