import type { DatabaseSync } from 'node:sqlite';
import {
  type Change,
  type Clock,
  type Conflict,
  findConflict,
  type Revision,
  type Stored,
  type Write,
} from '@tributary/storage';
import { checksum, isIntact } from '../database/checksum.ts';
import { CHANGES_PER_REVISION, DELETED, historyBytes, PUT } from '../database/schema.ts';
import type { State, StateRow } from '../database/state.ts';
import { prepare, type Statement } from '../database/statement.ts';
import { inTransaction } from '../database/transaction.ts';
import { damagedValue } from '../messages/errors.ts';

export type Outcome =
  | {
      readonly outcome: 'written';
      readonly revision: Revision;
      /** The values that the writes replaced, in their order. */
      readonly previous: readonly (Stored | undefined)[];
    }
  | Conflict;

interface LatestRow {
  readonly row: number;
  readonly revision: Revision;
  readonly sum: number;
  readonly expires: number | null;
  readonly value: Uint8Array;
}

/** Rolls back a transaction in which nothing was written: it needs no flush to the disk. */
class NothingWritten extends Error {}

/**
 * Many commits in one transaction, each with its own revision, each evaluated against the writes of those before it. No
 * commit may be acknowledged before `run` returns: only then is it on disk.
 */
export class GroupCommit {
  readonly #db: DatabaseSync;
  readonly #clock: Clock;
  readonly #state: StateRow;
  readonly #select: Statement<LatestRow>;
  readonly #insert: Statement<unknown>;
  readonly #update: Statement<unknown>;
  readonly #delete: Statement<unknown>;
  readonly #remember: Statement<unknown>;

  constructor(options: {
    readonly db: DatabaseSync;
    readonly clock: Clock;
    readonly state: StateRow;
  }) {
    const { db } = options;
    this.#db = db;
    this.#clock = options.clock;
    this.#state = options.state;
    this.#select = prepare(
      db,
      'SELECT row, revision, sum, expires, value FROM latest WHERE key = ?',
    );
    this.#insert = prepare(
      db,
      'INSERT INTO latest (key, revision, sum, expires, value) VALUES (?, ?, ?, ?, ?)',
    );
    this.#update = prepare(
      db,
      'UPDATE latest SET revision = ?, sum = ?, expires = ?, value = ? WHERE row = ?',
    );
    this.#delete = prepare(db, 'DELETE FROM latest WHERE row = ?');
    // Numbers reach SQLite as floats: without the casts a large id would lose its last digits.
    this.#remember = prepare(
      db,
      `INSERT INTO history
         (id, key, kind, previous_revision, previous_sum, previous_expires, previous)
       VALUES (CAST(? AS INTEGER) * ${CHANGES_PER_REVISION} + CAST(? AS INTEGER), ?, ?, ?, ?, ?, ?)`,
    );
  }

  run(changes: readonly Change[]): Outcome[] {
    let outcomes: Outcome[] = [];
    try {
      const state = inTransaction(this.#db, () => {
        let next = this.#state.current;
        outcomes = changes.map((change) => {
          const { outcome, state: after } = this.#evaluate(change, next);
          next = after;
          return outcome;
        });
        if (next === this.#state.current) throw new NothingWritten();
        this.#state.write(next);
        return next;
      });
      this.#state.committed(state);
    } catch (error) {
      if (error instanceof NothingWritten) return outcomes;
      this.#state.reload();
      throw error;
    }
    return outcomes;
  }

  get(key: string): Stored | undefined {
    return this.#stored(key, this.#select.get(key));
  }

  #evaluate(change: Change, state: State): { outcome: Outcome; state: State } {
    const found = new Map<string, LatestRow | undefined>();
    const find = (key: string) => {
      if (!found.has(key)) found.set(key, this.#select.get(key));
      return found.get(key);
    };
    const conflict = findConflict(change, (key) => this.#stored(key, find(key)));
    if (conflict !== undefined) return { outcome: conflict, state };
    const revision = (state.revision + 1) as Revision;
    let next = { ...state, revision };
    const previous = change.writes.map((write, ordinal) => {
      const row = find(write.key);
      next = this.#write(write, { revision, ordinal, found: row, state: next });
      return this.#stored(write.key, row);
    });
    return { outcome: { outcome: 'written', revision, previous }, state: next };
  }

  #write(
    write: Write,
    at: { revision: Revision; ordinal: number; found: LatestRow | undefined; state: State },
  ): State {
    const { revision, ordinal, found, state } = at;
    const { key } = write;
    this.#remember.run(
      revision,
      ordinal,
      key,
      write.kind === 'put' ? PUT : DELETED,
      found?.revision ?? null,
      found?.sum ?? null,
      found?.expires ?? null,
      found?.value ?? null,
    );
    if (write.kind === 'put') this.#put(write, revision, found);
    else if (found !== undefined) this.#delete.run(found.row);
    const added = write.kind === 'put' ? write.value.byteLength : 0;
    return {
      ...state,
      keys: state.keys + (write.kind === 'put' ? 1 : 0) - (found === undefined ? 0 : 1),
      valueBytes: state.valueBytes + added - (found?.value.byteLength ?? 0),
      historyBytes: state.historyBytes + historyBytes(key, found?.value.byteLength ?? 0),
    };
  }

  #put(
    { key, value, ttlSeconds }: Write & { kind: 'put' },
    revision: Revision,
    found: LatestRow | undefined,
  ): void {
    const sum = checksum(key, revision, value);
    const expires =
      ttlSeconds === undefined ? null : Math.ceil(this.#clock.nowMs() + ttlSeconds * 1000);
    if (found === undefined) this.#insert.run(key, revision, sum, expires, value);
    else this.#update.run(revision, sum, expires, value, found.row);
  }

  #stored(key: string, row: LatestRow | undefined): Stored | undefined {
    if (row === undefined) return undefined;
    const { revision, value, sum } = row;
    const isSound = isIntact({ key, revision, value, sum });
    return isSound ? { key, revision, value } : damagedValue({ key, revision });
  }
}
