import { openSqliteStorage, type SqliteStorage } from './open.ts';
import type { StoreThread } from './store-thread.ts';

/** The form in which programs open an engine by the scheme of `--storage`; this one lives in the data directory. */
export function openStorage({
  dataDir,
  thread,
}: {
  dataDir: string;
  thread?: StoreThread;
}): Promise<SqliteStorage> {
  return openSqliteStorage({ directory: dataDir, ...(thread && { thread }) });
}
