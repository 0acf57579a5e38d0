export { releaseGrownMemory } from './idle/release-memory.ts';
export { whenIdle } from './idle/when-idle.ts';
export { StorageDamaged, StorageInUse, UnsupportedFormat } from './messages/errors.ts';
export type {
  BackupResult,
  CheckReport,
  HistoryBounds,
  MaintenanceStats,
  RestoreResult,
} from './messages/messages.ts';
export {
  type BackupStoreOptions,
  backupStore,
  checkStore,
  openSqliteStorage,
  openStorage,
  type RestoreBackupOptions,
  restoreBackup,
  type SqliteStorageOptions,
} from './storage/open.ts';
export type { SqliteStorage } from './storage/sqlite-storage.ts';
