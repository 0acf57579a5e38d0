import type { DatabaseSync } from 'node:sqlite';

/** All or nothing; what was begun is undone whatever goes wrong, also in the commit itself. */
export function inTransaction<Value>(db: DatabaseSync, run: () => Value): Value {
  db.exec('BEGIN IMMEDIATE');
  try {
    const value = run();
    db.exec('COMMIT');
    return value;
  } catch (error) {
    // SQLite has rolled back by itself after some errors, a full disk among them.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/**
 * Upkeep need not survive a power failure, and without the flush it takes a fraction of the time.
 * The next commit flushes it along; the order on the disk stays that of the commits.
 */
export function inUnflushedTransaction<Value>(db: DatabaseSync, run: () => Value): Value {
  db.exec('PRAGMA synchronous = NORMAL');
  try {
    return inTransaction(db, run);
  } finally {
    db.exec('PRAGMA synchronous = FULL');
  }
}
