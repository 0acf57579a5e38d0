import type { DatabaseSync } from 'node:sqlite';
import {
  type ChangeEvent,
  Compacted,
  type FeedBatch,
  type Revision,
  type Stored,
  unreadablePut,
} from '@tributary/storage';
import { isIntact } from '../database/checksum.ts';
import { CHANGES_PER_REVISION, PUT } from '../database/schema.ts';
import type { StateRow } from '../database/state.ts';
import { prepare, type Statement } from '../database/statement.ts';
import { damaged, damagedValue } from '../messages/errors.ts';

/** A page ends with the commit that reaches one of these. */
const PAGE_EVENTS = 500;
const PAGE_BYTES = 1024 * 1024;

interface HistoryRow {
  readonly revision: Revision;
  readonly key: string;
  readonly kind: number;
  readonly previousRevision: Revision | null;
  readonly previousSum: number;
  readonly previous: Uint8Array | null;
  readonly writtenRevision: Revision | null;
  readonly writtenSum: number;
  readonly written: Uint8Array | null;
}

/** Pages of the change feed from the history on disk. */
export class HistoryReader {
  readonly #directory: string;
  readonly #state: StateRow;
  readonly #changes: Statement<HistoryRow>;

  constructor(db: DatabaseSync, { directory, state }: { directory: string; state: StateRow }) {
    this.#directory = directory;
    this.#state = state;
    // The value that a change wrote is what the key's next change replaced, or else the latest one.
    this.#changes = prepare(
      db,
      `SELECT change.id / ${CHANGES_PER_REVISION} AS revision, change.key, change.kind,
              change.previous_revision AS previousRevision, change.previous_sum AS previousSum,
              change.previous,
              iif(next.id IS NULL, latest.revision, next.previous_revision) AS writtenRevision,
              iif(next.id IS NULL, latest.sum, next.previous_sum) AS writtenSum,
              iif(next.id IS NULL, latest.value, next.previous) AS written
       FROM history AS change
       LEFT JOIN history AS next ON next.id =
         (SELECT min(id) FROM history WHERE key = change.key AND id > change.id)
       LEFT JOIN latest ON next.id IS NULL AND latest.key = change.key
       WHERE change.id >= (CAST(? AS INTEGER) + 1) * ${CHANGES_PER_REVISION}
       ORDER BY change.id`,
    );
  }

  /** The changes after a revision, in whole commits up to the size of a page. */
  after(revision: Revision): FeedBatch {
    const { compacted, revision: current } = this.#state.current;
    if (revision < compacted) throw new Compacted(revision, compacted);
    const events: ChangeEvent[] = [];
    let bytes = 0;
    for (const row of this.#changes.iterate(revision)) {
      const last = events.at(-1)?.revision;
      const isFull = events.length >= PAGE_EVENTS || bytes >= PAGE_BYTES;
      if (last !== undefined && isFull && row.revision > last) return { events, progress: last };
      bytes += (row.previous?.byteLength ?? 0) + (row.written?.byteLength ?? 0);
      events.push(this.#event(row));
    }
    return { events, progress: current };
  }

  #event(row: HistoryRow): ChangeEvent {
    const { revision, key } = row;
    const previous = this.#stored(key, row.previousRevision, row.previous, row.previousSum);
    if (row.kind === PUT) {
      const written = this.#stored(key, row.writtenRevision, row.written, row.writtenSum);
      if (written?.revision === revision && written.unreadable) {
        return unreadablePut({ key, revision, previous }, written.unreadable);
      }
      if (written?.revision === revision) {
        return { kind: 'put', key, revision, value: written.value, previous };
      }
    } else if (previous !== undefined) {
      return { kind: 'delete', key, revision, previous };
    }
    throw damaged(this.#directory, `the history of ${key} does not join at revision ${revision}`);
  }

  #stored(
    key: string,
    revision: Revision | null,
    value: Uint8Array | null,
    sum: number,
  ): Stored | undefined {
    if (revision === null || value === null) return undefined;
    const isSound = isIntact({ key, revision, value, sum });
    return isSound ? { key, revision, value } : damagedValue({ key, revision });
  }
}
