import type { DatabaseSync } from 'node:sqlite';

/** Rolls back after any error, also of the commit itself. */
export function inTransaction<Value>(db: DatabaseSync, run: () => Value): Value {
  db.exec('BEGIN IMMEDIATE');
  try {
    const value = run();
    db.exec('COMMIT');
    return value;
  } catch (error) {
    // SQLite rolls back by itself after some errors, such as a full disk.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/**
 * Maintenance need not survive a power failure, and takes a fraction of the time without the flush. The next commit
 * flushes it too; the order on the disk stays that of the commits.
 */
export function inUnflushedTransaction<Value>(db: DatabaseSync, run: () => Value): Value {
  db.exec('PRAGMA synchronous = NORMAL');
  try {
    return inTransaction(db, run);
  } finally {
    db.exec('PRAGMA synchronous = FULL');
  }
}
