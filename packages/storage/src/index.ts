export { assertChange, type Conflict, findConflict } from './change.ts';
export { type Clock, type ManualClock, manualClock, systemClock } from './clock.ts';
export type {
  Change,
  ChangeEvent,
  CommitResult,
  FeedBatch,
  FeedOptions,
  KeyRevision,
  ListOptions,
  Page,
  ReadOptions,
  Revision,
  Storage,
  StorageStats,
  Stored,
  Write,
} from './contract.ts';
export { ABSENT, CHANGE_KEYS_MAX } from './contract.ts';
export {
  type EncryptionConfig,
  EncryptionConfigInvalid,
  type EncryptionKey,
  type EncryptionProvider,
  parseEncryptionConfig,
  type ResourceEncryption,
} from './encryption/config.ts';
export {
  type EncryptedStorage,
  type EncryptedStorageOptions,
  encryptedStorage,
  type InspectedPage,
  type InspectedValue,
} from './encryption/encrypted-storage.ts';
export { type KeyPrefixOf, registryKeyPrefixOf } from './encryption/encryption-rules.ts';
export { KEY_WRITES_MAX, type KeyUsage, type KeyUsageOptions } from './encryption/key-usage.ts';
export {
  type RewriteCounts,
  type RewriteOptions,
  type RewriteProgress,
  type RewriteResult,
  rewriteStale,
  type StaleScan,
  scanForStale,
  type WalkOptions,
  type WalkPosition,
} from './encryption/rewrite-stale.ts';
export { StorageUnreadable, type UnreadableValue } from './encryption/storage-unreadable.ts';
export type { ValueForm } from './encryption/transformer.ts';
export { Compacted, FutureRevision, StorageClosed, StorageUnavailable } from './errors.ts';
export { EventLog } from './event-log.ts';
export { assertKey, assertPrefix, compareKeys, prefixEnd } from './keys.ts';
export { type MemoryStorageOptions, openMemoryStorage } from './memory.ts';
export { unreadablePut, unreadableStored } from './unreadable-value.ts';
