import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '@tributary/storage';
import { prepare, type Statement } from '../database/statement.ts';
import { CheckpointThread, type LogPages } from './checkpoint-thread.ts';
import { StepTimes } from './step-times.ts';

/** So many pages are worth the other thread's while. */
const COPY_PAGES = 500;
/** So few are copied in place: hardly more than the flush of a commit. */
const FINISH_PAGES = 128;
/** From here on the log should begin anew, which it can only when all of it is copied. */
const RESTART_PAGES = 4000;
/** Here it must, however long that takes. */
const LOG_PAGES_MAX = 16_000;
/** A store is idle after this; then also a short log is copied, so that a restart reads little. */
const IDLE_MS = 200;
/** Another process may be reading, or the disk be full. */
const RETRY_MS = 500;

/**
 * Copies the write-ahead log into the database. SQLite would do it within somebody's commit, and
 * flush the database there. Here another thread does it while commits go on. What they add to the
 * log meanwhile keeps the log from beginning anew, so the last few pages are copied in between.
 */
export class Checkpoint {
  readonly #clock: Clock;
  readonly #onCopied: () => void;
  readonly #look: Statement<LogPages>;
  readonly #finish: Statement<LogPages>;
  readonly #thread: CheckpointThread;
  /** Of the copies in place: they make commits wait. */
  readonly times = new StepTimes();
  /** Copies by the other thread. */
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

  /** After each transaction. */
  written(): void {
    this.#learn(this.#look.get());
    this.#writtenMs = this.#clock.nowMs();
  }

  /** How long until there is work, if nothing is written. */
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
    // What stands in its way fails commits too, and they tell.
    this.#thread.copy().then(goOn, goOn);
  }

  /** Before the database is closed. */
  stop(): Promise<void> {
    return this.#thread.stop();
  }

  /** The log is long, and little is left of it or it cannot be let grow. */
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
    this.times.took(performance.now() - started);
  }

  /** `before` is how many pages of the log had been copied. */
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
