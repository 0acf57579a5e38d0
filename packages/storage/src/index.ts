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
export { Compacted, FutureRevision, StorageClosed, StorageUnavailable } from './errors.ts';
export { EventLog } from './event-log.ts';
export { assertKey, assertPrefix, compareKeys, prefixEnd } from './keys.ts';
export { type MemoryStorageOptions, openMemoryStorage } from './memory.ts';
