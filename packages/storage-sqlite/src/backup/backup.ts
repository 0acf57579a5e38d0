import { close, existsSync, fdatasync, open, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { type Revision, StorageUnavailable } from '@tributary/storage';
import { COMPANIONS, createPrivately, renameDurably } from '../database/files.ts';
import { createTables } from '../database/schema.ts';
import { insertState } from '../database/state.ts';
import { prepare } from '../database/statement.ts';
import type { StoredRow } from '../reads/range-reader.ts';
import type { Steps } from '../reads/read-steps.ts';

/** Flushed in parts: one large flush at the end would delay the flushes of commits. */
const FLUSH_BYTES = 4 * 1024 * 1024;

export interface BackupOptions {
  readonly rows: Iterable<readonly StoredRow[]>;
  readonly revision: Revision;
  readonly file: string;
  readonly createdMs: number;
}

/**
 * Writes the values at one revision into a file of the same format, without history. The file gets its name only when
 * it is complete and on disk.
 */
export function* writeBackup({ rows, revision, file, createdMs }: BackupOptions): Steps {
  if (existsSync(file)) throw new StorageUnavailable(`${file} exists already`);
  const partial = `${file}.partial`;
  removeDatabase(partial);
  createPrivately(partial);
  const db = new DatabaseSync(partial);
  try {
    const copy = startCopy(db);
    let flushedBytes = 0;
    for (const some of rows) {
      for (const row of some) {
        // A backup without it, or with a wrong value, would be discovered only when it is needed.
        if (row.unreadable) throw new StorageUnavailable(row.unreadable.message);
        copy.add(row);
      }
      if (copy.valueBytes - flushedBytes > FLUSH_BYTES) {
        flushedBytes = copy.valueBytes;
        yield flush(partial);
      } else {
        yield;
      }
    }
    copy.finish(revision, createdMs);
    db.close();
    yield flush(partial);
    renameDurably(partial, file);
  } finally {
    if (db.isOpen) db.close();
    removeDatabase(partial);
  }
}

function startCopy(db: DatabaseSync) {
  // The file is deleted unless it is finished, so nothing needs to be rolled back or flushed in it.
  db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN');
  createTables(db);
  db.exec('CREATE TABLE backup (revision INTEGER NOT NULL, created_ms INTEGER NOT NULL) STRICT');
  const insert = prepare(
    db,
    'INSERT INTO latest (key, revision, sum, expires, value) VALUES (?, ?, ?, ?, ?)',
  );
  let keys = 0;
  let valueBytes = 0;
  return {
    get valueBytes() {
      return valueBytes;
    },
    add({ key, revision, sum, expires, value }: StoredRow) {
      insert.run(key, revision, sum, expires, value);
      keys += 1;
      valueBytes += value.byteLength;
    },
    finish(revision: Revision, createdMs: number) {
      insertState(db, { revision, compacted: revision, keys, valueBytes, historyBytes: 0 });
      prepare(db, 'INSERT INTO backup VALUES (?, ?)').run(revision, Math.floor(createdMs));
      db.exec('COMMIT');
    },
  };
}

/** Off this thread: it may take long. */
async function flush(file: string): Promise<void> {
  const fd = await promisify(open)(file, 'r');
  try {
    await promisify(fdatasync)(fd);
  } finally {
    await promisify(close)(fd);
  }
}

export function removeDatabase(file: string): void {
  for (const suffix of ['', ...COMPANIONS]) rmSync(`${file}${suffix}`, { force: true });
}
