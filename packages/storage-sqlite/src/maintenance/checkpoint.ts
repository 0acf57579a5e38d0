import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '@tributary/storage';
import { prepare, type Statement } from '../database/statement.ts';
import { CheckpointThread, type LogPages } from './checkpoint-thread.ts';
import { StepTimes } from './step-times.ts';

/** From this many pages on the other thread copies. */
const COPY_PAGES = 500;
/** Up to this many are copied in place: hardly more than the flush of a commit. */
const FINISH_PAGES = 128;
/** From here on the log should restart, which it can only when all of it is copied. */
const RESTART_PAGES = 4000;
/** From here on it must, however long that takes. */
const LOG_PAGES_MAX = 16_000;
/** A store is idle after this; then a short log is copied too, so that a restart reads little. */
const IDLE_MS = 200;
/** Another process may be reading, or the disk be full. */
const RETRY_MS = 500;

/**
 * Copies the write-ahead log into the database. SQLite would do it within a commit, and flush the database there. Here
 * another thread does it while commits go on. Their additions to the log keep it from restarting, so the last few pages
 * are copied in between.
 */
export class Checkpoint {
  readonly #clock: Clock;
  readonly #onCopied: () => void;
  readonly #look: Statement<LogPages>;
  readonly #finish: Statement<LogPages>;
  readonly #thread: CheckpointThread;
  /** Times of the copies in place: they make commits wait. */
  readonly times = new StepTimes();
  /** The number of copies by the other thread. */
  copies = 0;
  #log = 0;
  #pages = 0;
  #writtenMs: number;
  #retryMs = 0;
  #isCopying = false;

  constructor(
    db: DatabaseSync,
    options: { readonly file: string; readonly clock: Clock; readonly onCopied: () => void },
  ) {
    this.#clock = options.clock;
    this.#onCopied = options.onCopied;
    this.#look = prepare(db, 'PRAGMA wal_checkpoint(NOOP)');
    this.#finish = prepare(db, 'PRAGMA wal_checkpoint(PASSIVE)');
    this.#thread = new CheckpointThread(options.file);
    this.#writtenMs = options.clock.nowMs();
    this.written();
  }

  /** Runs after each transaction. */
  written(): void {
    this.#learn(this.#look.get());
    this.#writtenMs = this.#clock.nowMs();
  }

  /** The time until there is work, if nothing is written. */
  get waitMs(): number {
    if (this.#pages === 0 || this.#isCopying) return Number.POSITIVE_INFINITY;
    const now = this.#clock.nowMs();
    const isDue = this.#pages >= COPY_PAGES || this.#canRestart();
    return Math.max(isDue ? 0 : this.#writtenMs + IDLE_MS - now, this.#retryMs - now);
  }

  step(): void {
    if (this.waitMs > 0) return;
    if (this.#pages <= FINISH_PAGES || this.#canRestart()) {
      this.#copyInPlace();
      return;
    }
    this.#isCopying = true;
    const pages = this.#log - this.#pages;
    const goOn = () => this.#copied(pages);
    // The cause of a failure fails commits too, and they report it.
    this.#thread.copy().then(goOn, goOn);
  }

  /** Runs before the database is closed. */
  stop(): Promise<void> {
    return this.#thread.stop();
  }

  /** The log is long, and little is left of it or it must not grow. */
  #canRestart(): boolean {
    return (
      (this.#log >= RESTART_PAGES && this.#pages <= FINISH_PAGES) || this.#log >= LOG_PAGES_MAX
    );
  }

  #copyInPlace(): void {
    const started = performance.now();
    // Until it has succeeded, so that an error does not lead to the next attempt at once.
    this.#retryMs = this.#clock.nowMs() + RETRY_MS;
    this.#learn(this.#finish.get());
    if (this.#pages === 0) this.#retryMs = 0;
    this.times.record(performance.now() - started);
  }

  /** `before` is the number of pages of the log that had been copied. */
  #copied(before: number): void {
    this.#isCopying = false;
    this.copies += 1;
    this.#learn(this.#look.get());
    const isStuck = this.#log - this.#pages === before;
    this.#retryMs = this.#clock.nowMs() + (isStuck ? RETRY_MS : 0);
    this.#onCopied();
  }

  #learn(found: LogPages | undefined): void {
    if (found === undefined) return;
    this.#log = found.log;
    this.#pages = found.log - found.checkpointed;
  }
}
