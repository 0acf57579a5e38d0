import { closeSync, existsSync, openSync, readSync, renameSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type Revision, StorageUnavailable } from '@tributary/storage';
import { assertIntact, checksum } from '../database/checksum.ts';
import { connect, createDirectory, RESTORING, readVersion } from '../database/database.ts';
import { lockDirectory } from '../database/directory-lock.ts';
import {
  COMPANIONS,
  createPrivately,
  filesOf,
  renameDurably,
  syncFile,
  writeDurably,
} from '../database/files.ts';
import { migrate } from '../database/migrations.ts';
import { APPLICATION_ID, FORMAT } from '../database/schema.ts';
import { type State, StateRow } from '../database/state.ts';
import { prepare } from '../database/statement.ts';
import { inTransaction } from '../database/transaction.ts';
import { StorageDamaged } from '../messages/errors.ts';
import type { RestoreOptions, RestoreResult } from '../messages/messages.ts';
import { removeDatabase } from './backup.ts';

/** More than four times the commits that any store reaches. */
const REVISIONS_PER_SECOND_MAX = 100_000;
/** Clocks of two machines may differ, and the wall clock be set: a day covers that. */
const MARGIN_SECONDS = 86_400;

/**
 * Replaces a store that is not running by a backup, or writes it into a new directory. Clients may have any revision
 * that the lost store has assigned since the backup. The restored one begins above all of them, with every object
 * written anew at that revision and no history: a client with an older one gets `Compacted` and lists again, and sees
 * no revision decrease, of the store or of any object.
 */
export function restoreDirectory({ from, directory, nowMs }: RestoreOptions): RestoreResult {
  createDirectory(directory);
  const lock = lockDirectory(directory);
  const { database } = filesOf(directory);
  const prepared = `${database}.restoring`;
  try {
    removeDatabase(prepared);
    copyBackup(from, prepared);
    const result = raise(from, prepared, { nowMs, oldRevision: revisionOf(directory) });
    exchange(directory, prepared);
    return result;
  } finally {
    removeDatabase(prepared);
    lock.release();
  }
}

function copyBackup(from: string, to: string): void {
  if (!existsSync(from)) throw new StorageUnavailable(`there is no backup ${from}`);
  const db = new DatabaseSync(from, { readOnly: true });
  try {
    assertBackup(from, db);
  } finally {
    db.close();
  }
  createPrivately(to);
  copyBytes(from, to);
}

const COPY_BYTES = 1024 * 1024;

/** Copies bytes alone: the copy stays as private as it was created, however readable the backup is. */
function copyBytes(from: string, to: string): void {
  const source = openSync(from, 'r');
  const target = openSync(to, 'w');
  try {
    const buffer = Buffer.allocUnsafe(COPY_BYTES);
    for (let count = readSync(source, buffer); count > 0; count = readSync(source, buffer)) {
      writeFileSync(target, buffer.subarray(0, count));
    }
  } finally {
    closeSync(source);
    closeSync(target);
  }
}

/** Gives every row of the copy the first revision of the restored store. */
function raise(
  from: string,
  file: string,
  { nowMs, oldRevision }: { nowMs: number; oldRevision: Revision | undefined },
): RestoreResult {
  const db = new DatabaseSync(file);
  try {
    const backup = prepare<{ readonly revision: Revision; readonly createdMs: number }>(
      db,
      'SELECT revision, created_ms AS createdMs FROM backup',
    ).get();
    if (backup === undefined) throw notBackup(from, 'it is not finished');
    const revision = firstRevision({ ...backup, nowMs, oldRevision });
    const keys = inTransaction(db, () => {
      migrateBackup(db);
      const state = new StateRow(db, from);
      const count = rewriteRows(db, from, revision);
      if (count !== state.current.keys)
        throw notBackup(from, `it has ${count} keys of ${state.current.keys}`);
      state.write({ ...state.current, revision, compacted: revision, historyBytes: 0 });
      db.exec('DROP TABLE backup');
      return count;
    });
    return { revision, keys, backupRevision: backup.revision };
  } finally {
    db.close();
  }
}

/** Above all revisions assigned since the backup, whatever happened to the store. */
function firstRevision(known: {
  readonly revision: Revision;
  readonly createdMs: number;
  readonly nowMs: number;
  readonly oldRevision: Revision | undefined;
}): Revision {
  const { revision, createdMs, nowMs, oldRevision = 0 } = known;
  const seconds = Math.max(0, (nowMs - createdMs) / 1000) + MARGIN_SECONDS;
  const jump = Math.ceil(seconds) * REVISIONS_PER_SECOND_MAX;
  const first = Math.max(revision + jump, oldRevision + 1);
  if (!Number.isSafeInteger(first)) throw new StorageUnavailable('there are no revisions left');
  return first as Revision;
}

function assertBackup(from: string, db: DatabaseSync): void {
  const application = pragma(db, 'application_id');
  if (application !== APPLICATION_ID) throw notBackup(from, 'another program wrote it');
  const format = pragma(db, 'user_version');
  if (format > FORMAT) throw notBackup(from, `it has format ${format}, known are up to ${FORMAT}`);
  const tables = prepare<{ readonly name: string }>(
    db,
    "SELECT name FROM sqlite_schema WHERE name = 'backup'",
  );
  if (tables.get() === undefined) throw notBackup(from, 'it is a store, not a backup of one');
  const check = prepare<{ readonly integrity_check: string }>(
    db,
    'PRAGMA integrity_check(1)',
  ).get();
  if (check?.integrity_check !== 'ok') throw notBackup(from, `${check?.integrity_check}`);
}

function migrateBackup(db: DatabaseSync): void {
  const format = pragma(db, 'user_version');
  if (format < FORMAT) migrate(db, format);
}

function rewriteRows(db: DatabaseSync, from: string, revision: Revision): number {
  interface Row {
    readonly row: number;
    readonly key: string;
    readonly revision: Revision;
    readonly sum: number;
    readonly value: Uint8Array;
  }
  const select = prepare<Row>(
    db,
    'SELECT row, key, revision, sum, value FROM latest WHERE row > ? ORDER BY row LIMIT 500',
  );
  const update = prepare(db, 'UPDATE latest SET revision = ?, sum = ? WHERE row = ?');
  let count = 0;
  for (let rows = [...select.iterate(0)]; rows.length > 0; ) {
    for (const row of rows) {
      assertIntact(row, from);
      update.run(revision, checksum(row.key, revision, row.value), row.row);
    }
    count += rows.length;
    rows = [...select.iterate(rows.at(-1)?.row ?? 0)];
  }
  return count;
}

/** The last revision of the replaced store, if it can still be read. */
function revisionOf(directory: string): Revision | undefined {
  const { database } = filesOf(directory);
  if (!existsSync(database)) return undefined;
  try {
    const db = connect(database);
    try {
      const state: State = new StateRow(db, directory).current;
      return state.revision;
    } finally {
      db.close();
    }
  } catch {
    // A damaged store is the usual reason for a restore; its last revision is then estimated from the time.
    return undefined;
  }
}

/**
 * While VERSION says so, the directory cannot be opened: the old log must never meet the new database. The old files
 * stay beside it under another name, in the place of files replaced before.
 */
function exchange(directory: string, prepared: string): void {
  const { database, version } = filesOf(directory);
  syncFile(prepared);
  const replaced = nameForReplaced(directory);
  removeDatabase(replaced);
  writeDurably(version, `${RESTORING}\n`);
  for (const suffix of ['', ...COMPANIONS]) {
    const old = `${database}${suffix}`;
    if (existsSync(old)) renameSync(old, `${replaced}${suffix}`);
  }
  renameDurably(prepared, database);
  writeDurably(version, `${FORMAT}\n`);
}

/** An interrupted restore may have put the only copy of the lost store there already. */
function nameForReplaced(directory: string): string {
  const name = `${filesOf(directory).database}.replaced`;
  if (readVersion(directory) !== RESTORING) return name;
  let number = 1;
  while (['', ...COMPANIONS].some((suffix) => existsSync(`${name}-${number}${suffix}`)))
    number += 1;
  return `${name}-${number}`;
}

function notBackup(from: string, finding: string): StorageDamaged {
  return new StorageDamaged(`${from} cannot be restored: ${finding}`);
}

function pragma(db: DatabaseSync, name: 'application_id' | 'user_version'): number {
  return prepare<Record<string, number>>(db, `PRAGMA ${name}`).get()?.[name] ?? 0;
}
