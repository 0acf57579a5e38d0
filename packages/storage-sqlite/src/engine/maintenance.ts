import type { Clock } from '@tributary/storage';
import type { MaintenanceStats } from '../messages/messages.ts';
import type { Engine } from './engine.ts';

/** The delay after a failure; the disk may be full, or another process reading. */
const RETRY_MS = 1000;

/** Compaction and checkpoints, in small steps between commits. */
export class Maintenance {
  readonly #engine: Engine;
  readonly #clock: Clock;
  #retryMs = 0;

  constructor(engine: Engine, clock: Clock) {
    this.#engine = engine;
    this.#clock = clock;
  }

  /** The time until there is work, if nothing is written. */
  get waitMs(): number {
    const { compaction, checkpoint, policy } = this.#engine;
    const dueMs = compaction.hasWork ? 0 : Math.min(policy.waitMs, checkpoint.waitMs);
    return Math.max(dueMs, this.#retryMs - this.#clock.nowMs());
  }

  step(): void {
    if (this.waitMs > 0) return;
    const { compaction, checkpoint, policy, state } = this.#engine;
    try {
      const target = policy.target(state.current);
      if (target !== undefined) compaction.compact(target);
      if (compaction.hasWork) {
        compaction.step();
        checkpoint.written();
      }
      checkpoint.step();
    } catch {
      // No request depends on it. The cause of the failure fails commits too, and they report it.
      this.#retryMs = this.#clock.nowMs() + RETRY_MS;
      state.reload();
    }
  }

  stats(): MaintenanceStats {
    const { compaction, checkpoint, state } = this.#engine;
    return {
      compactionSteps: compaction.times.count,
      checkpoints: checkpoint.times.count + checkpoint.copies,
      longestStepMs: Math.max(compaction.times.longestMs, checkpoint.times.longestMs),
      slowSteps: compaction.times.slow + checkpoint.times.slow,
      historyBytes: state.current.historyBytes,
    };
  }
}
