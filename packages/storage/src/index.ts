export { assertChange, type Conflict, findConflict } from './contract/change.ts';
export { type Clock, type ManualClock, manualClock, systemClock } from './contract/clock.ts';
export {
  Compacted,
  FutureRevision,
  StorageClosed,
  StorageUnavailable,
  StorageUnreadable,
  type UnreadableValue,
} from './contract/errors.ts';
export { assertKey, assertPrefix, compareKeys, prefixEnd } from './contract/keys.ts';
export type { Revision } from './contract/revision.ts';
export { ABSENT } from './contract/revision.ts';
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
  Storage,
  StorageStats,
  Stored,
  Write,
} from './contract/storage.ts';
export { CHANGE_KEYS_MAX } from './contract/storage.ts';
export { unreadablePut, unreadableStored } from './contract/unreadable-value.ts';
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
export type { ValueForm } from './encryption/transformer.ts';
export { EventLog } from './memory/event-log.ts';
export { type MemoryStorageOptions, openMemoryStorage } from './memory/memory-storage.ts';
