import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/** A prepared statement whose rows have a known shape: its columns are in the SQL beside it. */
export interface Statement<Row> {
  get(...values: SQLInputValue[]): Row | undefined;
  iterate(...values: SQLInputValue[]): Iterable<Row>;
  run(...values: SQLInputValue[]): void;
}

export function prepare<Row = unknown>(db: DatabaseSync, sql: string): Statement<Row> {
  const statement: StatementSync = db.prepare(sql);
  return {
    get: (...values) => statement.get(...values) as Row | undefined,
    iterate: (...values) => statement.iterate(...values) as Iterable<Row>,
    run: (...values) => void statement.run(...values),
  };
}
