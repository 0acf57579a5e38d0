import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '@tributary/storage';
import { prepare, type Statement } from './statement.ts';
import { StepSize } from './step-size.ts';

interface WalRow {
  /** Pages in the log, and how many of them are in the database too. */
  readonly log: number;
  readonly checkpointed: number;
}

/**
 * What copying the log may take; commits wait for it about this long. Each copy flushes the
 * database once, so a log that is copied too soon costs more flushes than the commits themselves:
 * below the least size only a slow disk makes it slow, and that slows commits just as much.
 */
const STEP = { start: 400, min: 256, max: 1000, budgetMs: 10 };
/** A store is idle after this; then also a short log is copied, so that a restart reads little. */
const IDLE_MS = 200;
/** Another process may be reading, or the disk be full: try again later. */
const RETRY_MS = 500;

/**
 * Copies the write-ahead log into the database. SQLite would do it within somebody's commit, all
 * of it at once; here it is done between commits, while the log is so short that it takes little.
 */
export class Checkpoint {
  readonly #clock: Clock;
  readonly #look: Statement<WalRow>;
  readonly #copy: Statement<WalRow>;
  readonly stepSize = new StepSize(STEP);
  #pages = 0;
  #writtenMs: number;
  #retryMs = 0;

  constructor(db: DatabaseSync, clock: Clock) {
    this.#clock = clock;
    this.#look = prepare(db, 'PRAGMA wal_checkpoint(NOOP)');
    this.#copy = prepare(db, 'PRAGMA wal_checkpoint(PASSIVE)');
    this.#writtenMs = clock.nowMs();
    this.written();
  }

  /** After each transaction. */
  written(): void {
    const { log, checkpointed } = this.#look.get() ?? { log: 0, checkpointed: 0 };
    this.#pages = log - checkpointed;
    this.#writtenMs = this.#clock.nowMs();
  }

  get hasWork(): boolean {
    return this.#pages > 0 && this.waitMs <= 0;
  }

  /** How long until there is work, if nothing is written. */
  get waitMs(): number {
    const now = this.#clock.nowMs();
    if (this.#pages === 0) return Number.POSITIVE_INFINITY;
    const idleMs = this.#pages >= this.stepSize.rows ? 0 : this.#writtenMs + IDLE_MS - now;
    return Math.max(idleMs, this.#retryMs - now);
  }

  step(): void {
    const started = performance.now();
    // Until it has succeeded, so that an error does not lead to the next attempt at once.
    this.#retryMs = this.#clock.nowMs() + RETRY_MS;
    const { log, checkpointed } = this.#copy.get() ?? { log: 0, checkpointed: 0 };
    this.stepSize.took(performance.now() - started, this.#pages);
    this.#pages = log - checkpointed;
    if (this.#pages <= 0) this.#retryMs = 0;
  }
}
