import type { DatabaseSync } from 'node:sqlite';
import type { Revision } from '@tributary/storage';
import { checksum } from './checksum.ts';
import { createTables, FORMAT } from './schema.ts';
import { insertState } from './state.ts';
import { prepare } from './statement.ts';

/**
 * From each older format to the next, within one transaction of the caller. Format 0 was never released: it keeps the
 * migration tested until there is a second format.
 */
const MIGRATIONS: readonly ((db: DatabaseSync) => void)[] = [fromFormat0];

export function migrate(db: DatabaseSync, from: number): void {
  for (let format = from; format < FORMAT; format += 1) {
    const next = MIGRATIONS[format];
    if (next === undefined) throw new Error(`there is no way from format ${format} to the next`);
    next(db);
  }
}

/** One table of values without history: earlier revisions cannot be read afterwards. */
function fromFormat0(db: DatabaseSync): void {
  createTables(db);
  interface OldRow {
    readonly key: string;
    readonly revision: Revision;
    readonly value: Uint8Array;
  }
  const insert = prepare(
    db,
    'INSERT INTO latest (key, revision, sum, expires, value) VALUES (?, ?, ?, NULL, ?)',
  );
  let keys = 0;
  let valueBytes = 0;
  for (const { key, revision, value } of prepare<OldRow>(
    db,
    'SELECT key, revision, value FROM objects',
  ).iterate()) {
    insert.run(key, revision, checksum(key, revision, value), value);
    keys += 1;
    valueBytes += value.byteLength;
  }
  const counter = prepare<{ readonly revision: Revision }>(db, 'SELECT revision FROM counter');
  const revision = counter.get()?.revision ?? (1 as Revision);
  insertState(db, { revision, compacted: revision, keys, valueBytes, historyBytes: 0 });
  db.exec('DROP TABLE objects; DROP TABLE counter');
}
