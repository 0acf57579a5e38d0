import type { DatabaseSync } from 'node:sqlite';
import { FutureRevision, type Revision } from '@tributary/storage';
import { CHANGES_PER_REVISION, historyBytes } from '../database/schema.ts';
import type { StateRow } from '../database/state.ts';
import { prepare, type Statement } from '../database/statement.ts';
import { inTransaction, inUnflushedTransaction } from '../database/transaction.ts';
import { StepSize } from './step-size.ts';
import { StepTimes } from './step-times.ts';

/** The rows and the duration of a step; commits wait for it about this long. */
const STEP = { start: 128, min: 16, max: 2048, budgetMs: 2 };

const STEP_BYTES = 2 * 1024 * 1024;

/** Compacts history: at once for readers, whose older reads fail from then on, and in small steps on disk. */
export class Compaction {
  readonly #db: DatabaseSync;
  readonly #state: StateRow;
  readonly #oldest: Statement<{
    readonly change: string;
    readonly key: string;
    readonly bytes: number | null;
  }>;
  readonly #forget: Statement<unknown>;
  readonly #pins = new Map<Revision, number>();
  readonly #stepSize = new StepSize(STEP);
  readonly times = new StepTimes();
  /** Commits since the last step: to stay bounded, a step must delete more than they add. */
  #added = 0;
  /** Everything up to this change is deleted from the disk. */
  #forgotten = -1;

  constructor(db: DatabaseSync, state: StateRow) {
    this.#db = db;
    this.#state = state;
    // Ids may exceed exact numbers, so they pass through as strings.
    this.#oldest = prepare(
      db,
      `SELECT CAST(id AS TEXT) AS change, key, length(previous) AS bytes FROM history
       WHERE id < (CAST(? AS INTEGER) + 1) * ${CHANGES_PER_REVISION} ORDER BY id LIMIT ?`,
    );
    this.#forget = prepare(db, 'DELETE FROM history WHERE id <= CAST(? AS INTEGER)');
  }

  /** Rejects older reads from now on. */
  compact(revision: Revision): void {
    const { current } = this.#state;
    if (revision > current.revision) throw new FutureRevision(revision, current.revision);
    if (revision <= current.compacted) return;
    const next = { ...current, compacted: revision };
    inTransaction(this.#db, () => this.#state.write(next));
    this.#state.committed(next);
  }

  /** Retains the history that a read at a revision needs, until the returned function is called. */
  pin(revision: Revision): () => void {
    this.#pins.set(revision, (this.#pins.get(revision) ?? 0) + 1);
    let isPinned = true;
    return () => {
      if (!isPinned) return;
      isPinned = false;
      const others = (this.#pins.get(revision) ?? 1) - 1;
      if (others > 0) this.#pins.set(revision, others);
      else this.#pins.delete(revision);
    };
  }

  added(commits: number): void {
    this.#added += commits;
  }

  get hasWork(): boolean {
    return this.#limit() > this.#forgotten;
  }

  /** Deletes some of the compacted history. */
  step(): void {
    const limit = this.#limit();
    const started = performance.now();
    const oldest = this.#some(limit);
    if (oldest.last !== undefined) {
      const { current } = this.#state;
      const next = { ...current, historyBytes: current.historyBytes - oldest.bytes };
      inUnflushedTransaction(this.#db, () => {
        this.#forget.run(oldest.last as string);
        this.#state.write(next);
      });
      this.#state.committed(next);
    }
    const ms = performance.now() - started;
    this.times.record(ms);
    this.#stepSize.adapt(ms, oldest.rows);
    if (oldest.isAll) this.#forgotten = limit;
  }

  #some(limit: Revision): {
    last: string | undefined;
    rows: number;
    bytes: number;
    isAll: boolean;
  } {
    const rowsMax = Math.max(this.#stepSize.rows, Math.min(2 * this.#added, STEP.max));
    this.#added = 0;
    let last: string | undefined;
    let rows = 0;
    let bytes = 0;
    for (const { change, key, bytes: previous } of this.#oldest.iterate(limit, rowsMax)) {
      last = change;
      rows += 1;
      bytes += historyBytes(key, previous ?? 0);
      // Large values have pages of their own, each of which is visited when it is freed.
      if (bytes >= STEP_BYTES) return { last, rows, bytes, isAll: false };
    }
    return { last, rows, bytes, isAll: rows < rowsMax };
  }

  #limit(): Revision {
    return Math.min(this.#state.current.compacted, ...this.#pins.keys()) as Revision;
  }
}
