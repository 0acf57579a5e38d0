import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Revision } from '@tributary/storage';
import { checksum } from '../database/checksum.ts';
import { readVersion } from '../database/database.ts';
import { filesOf } from '../database/files.ts';
import { CHANGES_PER_REVISION, FORMAT, historyBytes, PUT } from '../database/schema.ts';
import { type State, StateRow } from '../database/state.ts';
import { prepare } from '../database/statement.ts';
import type { CheckReport } from '../messages/messages.ts';

/** A store with more is damaged beyond listing. */
const FINDINGS_MAX = 20;

/**
 * Checks for damage without changing anything, also while a server has the store open: it reads one snapshot of it. The
 * log cannot be copied into the database meanwhile, so it may grow.
 */
export function checkDirectory(directory: string): CheckReport {
  const findings: string[] = [];
  const report = (finding: string) => {
    if (findings.length < FINDINGS_MAX) findings.push(finding);
  };
  let state: State | undefined;
  try {
    const { database } = filesOf(directory);
    const version = readVersion(directory);
    if (version !== FORMAT) report(`VERSION is ${version ?? 'missing'}, expected ${FORMAT}`);
    if (!existsSync(database)) throw new Error('store.db is missing');
    const db = new DatabaseSync(database, { readOnly: true });
    try {
      db.exec('BEGIN');
      state = checkDatabase(db, directory, report);
    } finally {
      db.close();
    }
  } catch (error) {
    report(error instanceof Error ? error.message : String(error));
  }
  const { revision = 0, compacted = 0, keys = 0 } = state ?? {};
  return { directory, isSound: findings.length === 0, findings, revision, compacted, keys };
}

type Report = (finding: string) => void;

function checkDatabase(db: DatabaseSync, directory: string, report: Report): State {
  const rows = prepare<{ readonly integrity_check: string }>(
    db,
    `PRAGMA integrity_check(${FINDINGS_MAX})`,
  );
  for (const { integrity_check: finding } of rows.iterate()) if (finding !== 'ok') report(finding);
  const state = new StateRow(db, directory).current;
  checkLatest(db, state, report);
  checkHistory(db, state, report);
  checkJoins(db, state, report);
  return state;
}

/** Compares the counters with the rows, and the values with their checksums. */
function checkLatest(db: DatabaseSync, state: State, report: Report): void {
  interface Row {
    readonly key: string;
    readonly revision: Revision;
    readonly sum: number;
    readonly value: Uint8Array;
  }
  let keys = 0;
  let bytes = 0;
  for (const row of prepare<Row>(db, 'SELECT key, revision, sum, value FROM latest').iterate()) {
    const { key, revision, sum, value } = row;
    keys += 1;
    bytes += value.byteLength;
    if (checksum(key, revision, value) !== sum) report(`${key}: its value has a wrong checksum`);
    if (revision > state.revision)
      report(`${key}: written at ${revision}, after ${state.revision}`);
  }
  if (keys !== state.keys) report(`${keys} keys, counted as ${state.keys}`);
  if (bytes !== state.valueBytes) report(`${bytes} bytes, counted as ${state.valueBytes}`);
}

interface ChangeRow {
  readonly revision: Revision;
  readonly key: string;
  readonly kind: number;
  readonly previousRevision: Revision | null;
  readonly sum: number | null;
  readonly previous: Uint8Array | null;
}

/** Within a key, each change replaced the value that the previous one wrote. */
function checkHistory(db: DatabaseSync, state: State, report: Report): void {
  const rows = prepare<ChangeRow>(
    db,
    `SELECT id / ${CHANGES_PER_REVISION} AS revision, key, kind,
            previous_revision AS previousRevision, previous_sum AS sum, previous
     FROM history ORDER BY key, id`,
  );
  let bytes = 0;
  let last: ChangeRow | undefined;
  for (const row of rows.iterate()) {
    bytes += historyBytes(row.key, row.previous?.byteLength ?? 0);
    checkChange(row, last?.key === row.key ? last : undefined, report);
    if (row.revision > state.revision)
      report(`${row.key}: changed at ${row.revision}, in the future`);
    last = row;
  }
  if (bytes !== state.historyBytes) {
    report(`${bytes} bytes of history, counted as ${state.historyBytes}`);
  }
}

function checkChange(row: ChangeRow, before: ChangeRow | undefined, report: Report): void {
  const { key, revision, previousRevision, previous, sum } = row;
  if (before !== undefined) {
    const expected = before.kind === PUT ? before.revision : null;
    if (previousRevision !== expected) {
      report(`${key}: the change at ${revision} replaced ${previousRevision}, not ${expected}`);
    }
  }
  if (row.kind !== PUT && previous === null)
    report(`${key}: deleted at ${revision} without a value`);
  if (previousRevision === null || previous === null) return;
  if (checksum(key, previousRevision, previous) !== sum) {
    report(`${key}: its value before ${revision} has a wrong checksum`);
  }
}

/** The newest change of a key wrote the latest value, and recent values have their change. */
function checkJoins(db: DatabaseSync, state: State, report: Report): void {
  const newest = prepare<{
    readonly key: string;
    readonly changed: number;
    readonly kind: number;
    readonly revision: number | null;
  }>(
    db,
    `SELECT history.key, history.id / ${CHANGES_PER_REVISION} AS changed, history.kind,
            latest.revision
     FROM history LEFT JOIN latest ON latest.key = history.key
     WHERE history.id IN (SELECT max(id) FROM history GROUP BY key)`,
  );
  for (const { key, changed, kind, revision } of newest.iterate()) {
    const expected = kind === PUT ? changed : null;
    if (revision !== expected)
      report(`${key}: is of ${revision}, its last change says ${expected}`);
  }
  const unexplained = prepare<{ readonly key: string; readonly revision: number }>(
    db,
    `SELECT key, revision FROM latest WHERE revision > ? AND NOT EXISTS
       (SELECT 1 FROM history WHERE history.key = latest.key)`,
  );
  for (const { key, revision } of unexplained.iterate(state.compacted)) {
    report(`${key}: its change at ${revision} is missing from the history`);
  }
}
