import type { DatabaseSync } from 'node:sqlite';
import type { Revision } from '@tributary/storage';

/** The format of the data directory that this program writes. */
export const FORMAT = 1;

/** Identifies the program in the file's header: "TRIB". */
export const APPLICATION_ID = 0x54524942;

/** The revision of an empty store; clients read 0 as "any". */
export const FIRST_REVISION = 1 as Revision;

/**
 * A change is `revision * 64 + ordinal`: one integer that sorts like commits and their writes, and is the row id. A
 * commit has at most 64 writes (`CHANGE_KEYS_MAX`).
 */
export const CHANGES_PER_REVISION = 64;

/**
 * `latest` contains the current values. `history` contains, for every change after the compacted revision, the value
 * that it replaced: a creation costs one value, compaction deletes the oldest rows, and the value that a change wrote
 * is what the key's next change replaced, or else the latest one. `latest` has its rows apart from the index of keys:
 * within the index a value above a quarter of a page would take a page of its own.
 */
const TABLES = `
  CREATE TABLE latest (
    row INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    revision INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    expires INTEGER,
    value BLOB NOT NULL
  ) STRICT;
  CREATE INDEX latest_expires ON latest (expires) WHERE expires IS NOT NULL;

  CREATE TABLE history (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    kind INTEGER NOT NULL,
    previous_revision INTEGER,
    previous_sum INTEGER,
    previous_expires INTEGER,
    previous BLOB
  ) STRICT;
  CREATE INDEX history_key ON history (key, id);

  CREATE TABLE state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    revision INTEGER NOT NULL,
    compacted INTEGER NOT NULL,
    keys INTEGER NOT NULL,
    value_bytes INTEGER NOT NULL,
    history_bytes INTEGER NOT NULL
  ) STRICT;
`;

export const TABLES_AND_INDEXES = ['latest', 'latest_expires', 'history', 'history_key', 'state'];

/** Kinds of a change in `history`. */
export const DELETED = 0;
export const PUT = 1;

/** Creates the tables, and marks the file with the application id, within the caller's transaction. */
export function createTables(db: DatabaseSync): void {
  db.exec(TABLES);
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  db.exec(`PRAGMA user_version = ${FORMAT}`);
}

/** The estimated size of a change for the bound on history: the value, its key twice, the rest. */
export function historyBytes(key: string, previousBytes: number): number {
  return 2 * key.length + previousBytes + 64;
}
