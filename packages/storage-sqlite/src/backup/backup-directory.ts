import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StorageUnavailable } from '@tributary/storage';
import { filesOf } from '../database/files.ts';
import { StateRow } from '../database/state.ts';
import { prepare } from '../database/statement.ts';
import type { BackupDirectoryOptions, BackupResult } from '../messages/messages.ts';
import type { StoredRow } from '../reads/range-reader.ts';
import { writeBackup } from './backup.ts';

const ROWS_PER_STEP = 256;

/**
 * A backup by another process than the one that serves the store: it reads one snapshot of the database. The log cannot
 * be copied into the database meanwhile, so it may grow.
 */
export async function backupDirectory(options: BackupDirectoryOptions): Promise<BackupResult> {
  const { directory, file, nowMs } = options;
  const { database } = filesOf(directory);
  if (!existsSync(database)) throw new StorageUnavailable(`${directory}: there is no store`);
  const db = new DatabaseSync(database, { readOnly: true });
  try {
    db.exec('BEGIN');
    const { revision, keys } = new StateRow(db, directory).current;
    const rows = latestRows(db);
    for (const step of writeBackup({ rows, revision, file, createdMs: nowMs })) await step;
    return { revision, keys };
  } finally {
    db.close();
  }
}

function* latestRows(db: DatabaseSync): Generator<StoredRow[]> {
  const all = prepare<StoredRow>(
    db,
    'SELECT key, revision, sum, expires, value FROM latest ORDER BY key',
  );
  let some: StoredRow[] = [];
  for (const row of all.iterate()) {
    some.push(row);
    if (some.length < ROWS_PER_STEP) continue;
    yield some;
    some = [];
  }
  yield some;
}
