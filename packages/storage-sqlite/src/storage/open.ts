import { StorageUnavailable, systemClock } from '@tributary/storage';
import type {
  BackupResult,
  CheckReport,
  HistoryBounds,
  RestoreResult,
} from '../messages/messages.ts';
import { type StoreThread, startThread } from '../thread/store-thread.ts';
import { runTask, whenStarted } from '../thread/thread-tasks.ts';
import { type SqliteStorage, SqliteStorageClient } from './sqlite-storage.ts';

export interface SqliteStorageOptions {
  /** Belongs to one store at a time; created when it is absent. */
  readonly directory: string;
  /** The bounds of history: by default at least five minutes, and at most 256 MiB. */
  readonly history?: Partial<HistoryBounds>;
  /** A thread that already opens the same directory, with the default history. */
  readonly thread?: StoreThread;
}

/**
 * Opens a data directory. Throws `StorageInUse` when another process has it, `UnsupportedFormat` when a newer program
 * wrote it, and `StorageDamaged` when the files are damaged.
 */
export async function openSqliteStorage({
  directory,
  history,
  thread = startThread({ task: 'serve', options: { directory, ...(history && { history }) } }),
}: SqliteStorageOptions): Promise<SqliteStorage> {
  const { worker, first } = await whenStarted(thread);
  if (first.kind !== 'opened')
    throw new StorageUnavailable(`the store thread responded ${first.kind}`);
  return new SqliteStorageClient(worker, first);
}

/**
 * The entry point by which programs open an engine for the scheme of `--storage`; this one is in the data directory.
 */
export function openStorage({
  dataDir,
  thread,
}: {
  dataDir: string;
  thread?: StoreThread;
}): Promise<SqliteStorage> {
  return openSqliteStorage({ directory: dataDir, ...(thread && { thread }) });
}

export interface BackupStoreOptions {
  readonly directory: string;
  /** Must not exist yet. */
  readonly file: string;
}

/**
 * Makes a backup of a store that another process may have open. Use `backup` for a store that this process has open.
 */
export async function backupStore(options: BackupStoreOptions): Promise<BackupResult> {
  const nowMs = systemClock.nowMs();
  return (await runTask({ task: 'backup', options: { ...options, nowMs } }, 'backed-up')).result;
}

export interface RestoreBackupOptions {
  /** A file that `backup` wrote. */
  readonly from: string;
  /**
   * No server may be running on it. Its content is renamed to `store.db.replaced`, or -1, -2 after an interrupted
   * restore.
   */
  readonly directory: string;
}

/** Replaces a store by a backup; its revisions continue above all that the old store has assigned. */
export async function restoreBackup({
  from,
  directory,
}: RestoreBackupOptions): Promise<RestoreResult> {
  const options = { from, directory, nowMs: systemClock.nowMs() };
  return (await runTask({ task: 'restore', options }, 'restored')).result;
}

/** Checks for damage, also while a server runs on the directory; changes nothing. */
export async function checkStore(directory: string): Promise<CheckReport> {
  return (await runTask({ task: 'check', directory }, 'checked')).report;
}
