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
export { ABSENT } from './contract.ts';
export { Compacted, FutureRevision, StorageClosed, StorageUnavailable } from './errors.ts';
