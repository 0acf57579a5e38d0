import type { DatabaseSync } from 'node:sqlite';
import { compareKeys, prefixEnd, type Revision, type Stored } from '@tributary/storage';
import { isIntact } from '../database/checksum.ts';
import { CHANGES_PER_REVISION } from '../database/schema.ts';
import type { StateRow } from '../database/state.ts';
import { prepare, type Statement } from '../database/statement.ts';
import { damagedValue } from '../messages/errors.ts';

/** A stored value with the columns that only copies of the store need. */
export interface StoredRow extends Stored {
  readonly sum: number;
  readonly expires: number | null;
}

export interface Range {
  readonly prefix: string;
  readonly after?: string | undefined;
  readonly revision: Revision;
  /** The number of requested rows: a hint, so that a short page does not read a whole step. */
  readonly limit?: number | undefined;
}

/** Every key is below this: SQLite sorts any blob after any text. */
const END = new Uint8Array(0);
type Bound = string | Uint8Array;

/** The maximum of one step: a few milliseconds of work, and bounded memory. */
const STEP = { rows: 128, bytes: 512 * 1024, counted: 10_000 };

interface Step {
  readonly rows: readonly StoredRow[];
  /** The start of the next step, if there is one. */
  readonly next: string | undefined;
}

interface CountStep {
  readonly count: number;
  readonly next: string | undefined;
}

interface ChangedRow {
  readonly key: string;
  readonly revision: Revision | null;
  readonly sum: number;
  readonly expires: number | null;
  readonly value: Uint8Array | null;
}

/** The first changes of a range's keys after a revision contain the keys' values at it. */
const FIRST_CHANGES = `
  FROM history
  WHERE key >= ? AND key < ? AND id >= (CAST(? AS INTEGER) + 1) * ${CHANGES_PER_REVISION}
  GROUP BY key ORDER BY key LIMIT ?`;

/**
 * Reads ranges of keys at one revision in steps. Each step stands on its own: it reads the current rows and restores
 * what has changed since the revision, so that commits and checkpoints go on between steps. The history since the
 * revision must be retained until the last step.
 */
export class RangeReader {
  readonly #stepMax: typeof STEP;
  readonly #state: StateRow;
  readonly #latest: Statement<StoredRow>;
  readonly #firstChanges: Statement<{ readonly change: string }>;
  readonly #change: Statement<ChangedRow>;
  readonly #countLatest: Statement<{ readonly count: number; readonly last: string | null }>;
  readonly #countUpTo: Statement<{ readonly count: number }>;
  readonly #countChanged: Statement<{
    readonly count: number;
    readonly held: number;
    readonly present: number;
    readonly last: string | null;
  }>;

  constructor(db: DatabaseSync, { state, step = STEP }: { state: StateRow; step?: typeof STEP }) {
    this.#stepMax = step;
    this.#state = state;
    this.#latest = prepare(
      db,
      `SELECT key, revision, sum, expires, value FROM latest
       WHERE key >= ? AND key < ? ORDER BY key LIMIT ?`,
    );
    // Ids may exceed exact numbers, so they pass through as strings.
    this.#firstChanges = prepare(db, `SELECT CAST(min(id) AS TEXT) AS change ${FIRST_CHANGES}`);
    this.#change = prepare(
      db,
      `SELECT key, previous_revision AS revision, previous_sum AS sum,
              previous_expires AS expires, previous AS value
       FROM history WHERE id = CAST(? AS INTEGER)`,
    );
    this.#countLatest = prepare(
      db,
      `SELECT count(*) AS count, max(key) AS last FROM
         (SELECT key FROM latest WHERE key >= ? AND key < ? ORDER BY key LIMIT ?)`,
    );
    this.#countUpTo = prepare(
      db,
      'SELECT count(*) AS count FROM latest WHERE key >= ? AND key < ?',
    );
    this.#countChanged = prepare(
      db,
      `SELECT count(*) AS count, count(history.previous_revision) AS held,
              count(latest.row) AS present, max(history.key) AS last
       FROM history LEFT JOIN latest ON latest.key = history.key
       WHERE history.id IN (SELECT min(id) ${FIRST_CHANGES})`,
    );
  }

  /** The values of a range, in order; each step yields some of them, perhaps none. */
  *read(range: Range): Generator<readonly StoredRow[], void> {
    const end = endOf(range);
    for (let from: string | undefined = startOf(range); from !== undefined; ) {
      const step = this.#step(from, end, range);
      yield step.rows;
      from = step.next;
    }
  }

  /** The number of keys of a range; steps before the last yield nothing. */
  *count(range: Range): Generator<undefined, number> {
    const end = endOf(range);
    let count = 0;
    for (let from: string | undefined = startOf(range); from !== undefined; ) {
      const step = this.#countStep(from, end, range.revision);
      count += step.count;
      from = step.next;
      if (from !== undefined) yield;
    }
    return count;
  }

  #step(from: string, end: Bound, { revision, limit = this.#stepMax.rows }: Range): Step {
    const max = { ...this.#stepMax, rows: Math.min(Math.max(limit, 1), this.#stepMax.rows) };
    const latest = take(this.#latest.iterate(from, end, max.rows), max);
    const isPast = revision < this.#state.current.revision;
    const changes = isPast ? this.#changes(from, latest.next ?? end, revision, max.rows) : [];
    const changed = take(changes, max);
    const next = changed.next ?? latest.next;
    const merged = isPast ? merge(latest.rows, changed.rows) : latest.rows;
    const rows = merged.filter(({ key }) => next === undefined || compareKeys(key, next) < 0);
    return { rows: rows.map((row) => (isIntact(row) ? row : damagedRow(row))), next };
  }

  /** One by one: a step ends when it has enough bytes, and the rest must not be read at all. */
  *#changes(from: string, end: Bound, revision: Revision, rows: number): Generator<ChangedRow> {
    for (const { change } of this.#firstChanges.iterate(from, end, revision, rows)) {
      const row = this.#change.get(change);
      if (row !== undefined) yield row;
    }
  }

  #countStep(from: string, end: Bound, revision: Revision): CountStep {
    const latest = this.#countLatest.get(from, end, this.#stepMax.counted) ?? {
      count: 0,
      last: null,
    };
    const next = latest.count < this.#stepMax.counted ? undefined : behind(latest.last);
    if (revision === this.#state.current.revision) return { count: latest.count, next };
    const changed = this.#countChanged.get(from, next ?? end, revision, this.#stepMax.counted);
    if (changed === undefined) return { count: latest.count, next };
    const difference = changed.held - changed.present;
    if (changed.count < this.#stepMax.counted) return { count: latest.count + difference, next };
    const cut = behind(changed.last);
    const present = this.#countUpTo.get(from, cut)?.count ?? 0;
    return { count: present + difference, next: cut };
  }
}

function damagedRow({ key, revision, sum, expires }: StoredRow): StoredRow {
  return Object.assign(damagedValue({ key, revision }), { sum, expires });
}

function startOf({ prefix, after }: Range): string {
  return after !== undefined && compareKeys(after, prefix) >= 0 ? behind(after) : prefix;
}

function endOf({ prefix }: Range): Bound {
  return prefixEnd(prefix) ?? END;
}

/** No key has U+0000, so there is no key between a key and this. */
function behind(key: string | null | undefined): string {
  return `${key ?? ''}\0`;
}

/** The first rows; `next` is the first of the remaining rows, if any. */
function take<Row extends { readonly key: string; readonly value: Uint8Array | null }>(
  rows: Iterable<Row>,
  max: { readonly rows: number; readonly bytes: number },
): { rows: Row[]; next: string | undefined } {
  const taken: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    taken.push(row);
    bytes += row.value?.byteLength ?? 0;
    // Leaving the loop resets the statement.
    if (taken.length >= max.rows || bytes >= max.bytes)
      return { rows: taken, next: behind(row.key) };
  }
  return { rows: taken, next: undefined };
}

/** Current rows, with changed keys replaced by their earlier values. */
function merge(latest: readonly StoredRow[], changed: readonly ChangedRow[]): StoredRow[] {
  const rows: StoredRow[] = [];
  const keys = new Set(changed.map(({ key }) => key));
  const unchanged = latest.filter(({ key }) => !keys.has(key));
  let at = 0;
  for (const row of changed) {
    for (; at < unchanged.length; at += 1) {
      const other = unchanged[at] as StoredRow;
      if (compareKeys(other.key, row.key) > 0) break;
      rows.push(other);
    }
    if (row.revision === null || row.value === null) continue;
    rows.push({ ...row, revision: row.revision, value: row.value });
  }
  rows.push(...unchanged.slice(at));
  return rows;
}
