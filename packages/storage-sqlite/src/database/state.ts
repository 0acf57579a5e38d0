import type { DatabaseSync } from 'node:sqlite';
import type { Revision } from '@tributary/storage';
import { damaged } from '../messages/errors.ts';
import { FIRST_REVISION } from './schema.ts';
import { prepare, type Statement } from './statement.ts';

/** The counters of a store, changed in the same transaction as the rows that they count. */
export interface State {
  readonly revision: Revision;
  /** The oldest revision that can be read; older history may still be on disk. */
  readonly compacted: Revision;
  readonly keys: number;
  readonly valueBytes: number;
  readonly historyBytes: number;
}

export const EMPTY_STATE: State = {
  revision: FIRST_REVISION,
  compacted: 0 as Revision,
  keys: 0,
  valueBytes: 0,
  historyBytes: 0,
};

/** The `state` row and its copy in memory, which all readers use. */
export class StateRow {
  readonly #select: Statement<State>;
  readonly #update: Statement<unknown>;
  readonly #directory: string;
  #current: State;

  constructor(db: DatabaseSync, directory: string) {
    this.#directory = directory;
    this.#select = prepare(
      db,
      `SELECT revision, compacted, keys, value_bytes AS valueBytes, history_bytes AS historyBytes
       FROM state WHERE id = 1`,
    );
    this.#update = prepare(
      db,
      `UPDATE state SET revision = ?, compacted = ?, keys = ?, value_bytes = ?, history_bytes = ?
       WHERE id = 1`,
    );
    this.#current = this.#read();
  }

  get current(): State {
    return this.#current;
  }

  /** Writes the row within the caller's transaction; `committed` makes it the current one. */
  write({ revision, compacted, keys, valueBytes, historyBytes }: State): void {
    this.#update.run(revision, compacted, keys, valueBytes, historyBytes);
  }

  committed(state: State): void {
    this.#current = state;
  }

  /** After a failed transaction, only the file is right. */
  reload(): void {
    this.#current = this.#read();
  }

  #read(): State {
    const state = this.#select.get();
    if (state === undefined) throw damaged(this.#directory, 'its counters are missing');
    const { revision, compacted } = state;
    if (!(revision >= FIRST_REVISION && compacted <= revision)) {
      throw damaged(this.#directory, `its revision ${revision} is below its history ${compacted}`);
    }
    return { ...state };
  }
}

export function insertState(db: DatabaseSync, state: State): void {
  const { revision, compacted, keys, valueBytes, historyBytes: history } = state;
  prepare(db, 'INSERT INTO state VALUES (1, ?, ?, ?, ?, ?)').run(
    revision,
    compacted,
    keys,
    valueBytes,
    history,
  );
}
