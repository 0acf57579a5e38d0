import type { DatabaseSync } from 'node:sqlite';
import { FutureRevision, type Revision } from '@tributary/storage';
import { CHANGES_PER_REVISION, historyBytes } from './schema.ts';
import type { StateRow } from './state.ts';
import { prepare, type Statement } from './statement.ts';
import { StepSize } from './step-size.ts';
import { inTransaction, inUnflushedTransaction } from './transaction.ts';

/** Rows of a step, and what it may take; commits wait for it about this long. */
const STEP = { start: 128, min: 16, max: 2048, budgetMs: 2 };

/**
 * Forgets history: at once for readers, who are refused from then on, and in small steps on disk.
 */
export class Compaction {
  readonly #db: DatabaseSync;
  readonly #state: StateRow;
  readonly #forget: Statement<{ readonly key: string; readonly previous: number | null }>;
  readonly #pins = new Map<Revision, number>();
  readonly stepSize = new StepSize(STEP);
  /** Everything up to here is gone from the disk. */
  #forgotten = -1;

  constructor(db: DatabaseSync, state: StateRow) {
    this.#db = db;
    this.#state = state;
    this.#forget = prepare(
      db,
      `DELETE FROM history WHERE id IN
         (SELECT id FROM history WHERE id < (CAST(? AS INTEGER) + 1) * ${CHANGES_PER_REVISION}
          ORDER BY id LIMIT ?)
       RETURNING key, length(previous) AS previous`,
    );
  }

  /** Refuses older reads from now on. */
  compact(revision: Revision): void {
    const { current } = this.#state;
    if (revision > current.revision) throw new FutureRevision(revision, current.revision);
    if (revision <= current.compacted) return;
    const next = { ...current, compacted: revision };
    inTransaction(this.#db, () => this.#state.write(next));
    this.#state.committed(next);
  }

  /** Keeps the history that a read at a revision needs, until the answer is called. */
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

  get hasWork(): boolean {
    return this.#limit() > this.#forgotten;
  }

  /** Deletes some of what nobody may read any more. */
  step(): void {
    const limit = this.#limit();
    const rows = this.stepSize.rows;
    const { current } = this.#state;
    let deleted = 0;
    const started = performance.now();
    const next = inUnflushedTransaction(this.#db, () => {
      let bytes = current.historyBytes;
      for (const { key, previous } of this.#forget.iterate(limit, rows)) {
        bytes -= historyBytes(key, previous ?? 0);
        deleted += 1;
      }
      const after = { ...current, historyBytes: bytes };
      this.#state.write(after);
      return after;
    });
    this.#state.committed(next);
    this.stepSize.took(performance.now() - started, deleted);
    if (deleted < rows) this.#forgotten = limit;
  }

  #limit(): Revision {
    return Math.min(this.#state.current.compacted, ...this.#pins.keys()) as Revision;
  }
}
