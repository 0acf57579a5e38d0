import { openSqliteStorage, type SqliteStorage } from './open.ts';

/** The form in which programs open an engine by the scheme of `--storage`; this one lives in the data directory. */
export function openStorage({ dataDir }: { dataDir: string }): Promise<SqliteStorage> {
  return openSqliteStorage({ directory: dataDir });
}
