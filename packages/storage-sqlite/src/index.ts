export type { HistoryBounds } from './engine/compaction-policy.ts';
export { StorageDamaged, StorageInUse, UnsupportedFormat } from './errors.ts';
export {
  checkStore,
  openSqliteStorage,
  type RestoreBackupOptions,
  restoreBackup,
  type SqliteStorage,
  type SqliteStorageOptions,
} from './open.ts';
export type { CheckReport, RestoreResult, UpkeepStats } from './protocol.ts';
