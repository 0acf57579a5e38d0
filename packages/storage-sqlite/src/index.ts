export type { HistoryBounds } from './engine/compaction-policy.ts';
export { StorageDamaged, StorageInUse, UnsupportedFormat } from './errors.ts';
export { giveBackGrown } from './give-back-memory.ts';
export {
  type BackupStoreOptions,
  backupStore,
  checkStore,
  openSqliteStorage,
  type RestoreBackupOptions,
  restoreBackup,
  type SqliteStorage,
  type SqliteStorageOptions,
} from './open.ts';
export { openStorage } from './open-storage.ts';
export type { BackupResult, CheckReport, RestoreResult, UpkeepStats } from './protocol.ts';
export { whenQuiet } from './when-quiet.ts';
