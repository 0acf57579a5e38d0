import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { damaged, UnsupportedFormat } from '../messages/errors.ts';
import {
  COMPANIONS,
  createPrivately,
  filesOf,
  renameDurably,
  syncFile,
  writeDurably,
} from './files.ts';
import { migrate } from './migrations.ts';
import { createTables, FORMAT, TABLES_AND_INDEXES } from './schema.ts';
import { EMPTY_STATE, insertState } from './state.ts';
import { prepare } from './statement.ts';
import { inTransaction } from './transaction.ts';

/** The content of VERSION during a restore. */
export const RESTORING = 'restoring';

/** Short, because another process may read the store but must not write to it. */
const BUSY_MS = 1000;

/** Opens the database of a locked data directory, migrated to the current format; creates missing files. */
export function openDatabase(directory: string): DatabaseSync {
  const { database, version } = filesOf(directory);
  const format = readVersion(directory);
  assertKnown(directory, format);
  if (format === undefined && !existsSync(database)) return createDatabase(directory);
  assertDatabaseFile(directory, database);
  let db = connect(database);
  try {
    const found = userVersion(db);
    // The first start ended between creating the file and filling it.
    if (format === undefined && isEmpty(db)) return fillDatabase(directory, db);
    assertKnown(directory, found);
    if (found < FORMAT) {
      db.close();
      copyFormat(directory, found);
      db = connect(database);
      inTransaction(db, () => migrate(db, found));
    }
    assertTables(directory, db);
    if (format !== FORMAT) writeDurably(version, `${FORMAT}\n`);
    return db;
  } catch (error) {
    if (db.isOpen) db.close();
    throw error;
  }
}

export function createDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
}

/** Opens a file with the settings that the contract of the store depends on. */
export function connect(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: BUSY_MS });
  try {
    // FULL flushes the log before a commit returns. No memory mapping: a file that shrinks under it would end the
    // process instead of failing a read. Deleted content is overwritten: a secret that was encrypted later, or under a
    // new key, must not be found in the file. Few pages are cached: the system caches them all, and a page more to copy
    // is nothing beside a flush.
    db.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA wal_autocheckpoint = 0;
      PRAGMA journal_size_limit = ${64 * 1024 * 1024};
      PRAGMA mmap_size = 0;
      PRAGMA secure_delete = ON;
      PRAGMA cache_size = -2048;
      PRAGMA foreign_keys = OFF;
    `);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function createDatabase(directory: string): DatabaseSync {
  const { database } = filesOf(directory);
  createPrivately(database);
  const db = connect(database);
  try {
    return fillDatabase(directory, db);
  } catch (error) {
    db.close();
    throw error;
  }
}

function fillDatabase(directory: string, db: DatabaseSync): DatabaseSync {
  inTransaction(db, () => {
    createTables(db);
    insertState(db, EMPTY_STATE);
  });
  syncFile(directory);
  writeDurably(filesOf(directory).version, `${FORMAT}\n`);
  return db;
}

/**
 * A complete copy, on disk before anything changes. No connection may be open: closing the last one has copied the log
 * into the file, and reading the file would end their locks on it.
 */
function copyFormat(directory: string, format: number): void {
  const { database } = filesOf(directory);
  const copy = `${database}.format-${format}`;
  copyFileSync(database, `${copy}.new`, constants.COPYFILE_FICLONE);
  syncFile(`${copy}.new`);
  renameDurably(`${copy}.new`, copy);
}

export function readVersion(directory: string): number | typeof RESTORING | undefined {
  const { version } = filesOf(directory);
  if (!existsSync(version)) return undefined;
  const text = readFileSync(version, 'utf8').trim();
  if (text === RESTORING) return RESTORING;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw damaged(directory, `its VERSION is ${JSON.stringify(text.slice(0, 40))}, not a number`);
}

function assertKnown(directory: string, format: number | typeof RESTORING | undefined): void {
  if (format === RESTORING) {
    throw new UnsupportedFormat(
      `a restore of the data directory ${directory} was interrupted: run it again`,
    );
  }
  if (format === undefined || format <= FORMAT) return;
  throw new UnsupportedFormat(
    `the data directory ${directory} has format ${format}, this program knows formats up to ` +
      `${FORMAT}: run the program that wrote it, or a newer one`,
  );
}

const MAGIC = 'SQLite format 3\0';

/** Detects damage that SQLite would only detect when it reads there. */
function assertDatabaseFile(directory: string, database: string): void {
  if (!existsSync(database)) throw damaged(directory, 'store.db is missing');
  const size = statSync(database).size;
  if (size === 0) {
    if (!readVersion(directory)) return;
    throw damaged(directory, 'store.db is empty');
  }
  const header = readStart(database, 100);
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    throw damaged(directory, 'store.db is not a SQLite database');
  }
  const pageBytes = header.readUInt16BE(16) === 1 ? 65536 : header.readUInt16BE(16);
  const expected = header.readUInt32BE(28) * pageBytes;
  const hasLog = COMPANIONS.some((suffix) => fileSize(`${database}${suffix}`) > 0);
  if (size < expected && !hasLog) {
    throw damaged(directory, `store.db has ${size} of its ${expected} bytes`);
  }
}

function readStart(file: string, length: number): Buffer {
  const start = Buffer.alloc(length);
  const fd = openSync(file, 'r');
  try {
    readSync(fd, start, 0, length, 0);
  } finally {
    closeSync(fd);
  }
  return start;
}

function fileSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function userVersion(db: DatabaseSync): number {
  const row = prepare<{ readonly user_version: number }>(db, 'PRAGMA user_version').get();
  return row?.user_version ?? 0;
}

function assertTables(directory: string, db: DatabaseSync): void {
  const schema = prepare<{ readonly name: string }>(db, 'SELECT name FROM sqlite_schema');
  const found = new Set(Array.from(schema.iterate(), ({ name }) => name));
  const missing = TABLES_AND_INDEXES.filter((name) => !found.has(name));
  if (missing.length > 0) throw damaged(directory, `it has no ${missing.join(', ')}`);
}

function isEmpty(db: DatabaseSync): boolean {
  const row = prepare<{ readonly count: number }>(
    db,
    'SELECT count(*) AS count FROM sqlite_schema',
  ).get();
  return row?.count === 0;
}
