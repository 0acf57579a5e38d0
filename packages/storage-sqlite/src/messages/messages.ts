/** Messages between the two threads. Values travel beside the messages, in shared buffers. */
import type { KeyRevision, Revision, StorageStats } from '@tributary/storage';
import type { BytesLocation } from './byte-packer.ts';
import type { Columns } from './columns.ts';
import type { SerializedError } from './serialized-error.ts';

export interface HistoryBounds {
  /** History is retained at least this long, and at most twice as long. */
  readonly retainMs: number;
  /** More history than this is compacted, however recent. */
  readonly bytesMax: number;
}

export interface WorkerOptions {
  readonly directory: string;
  readonly history?: Partial<HistoryBounds>;
}

export interface RestoreOptions {
  readonly from: string;
  readonly directory: string;
  readonly nowMs: number;
}

export interface BackupDirectoryOptions {
  readonly directory: string;
  readonly file: string;
  readonly nowMs: number;
}

/** The task of a worker. */
export type WorkerData =
  | { readonly task: 'serve'; readonly options: WorkerOptions }
  | { readonly task: 'backup'; readonly options: BackupDirectoryOptions }
  | { readonly task: 'restore'; readonly options: RestoreOptions }
  | { readonly task: 'check'; readonly directory: string };

export interface RestoreResult {
  /** The first revision of the restored store. */
  readonly revision: Revision;
  /** The revision of the values in the backup. */
  readonly backupRevision: Revision;
  readonly keys: number;
}

export interface BackupResult {
  readonly revision: Revision;
  readonly keys: number;
}

export interface CheckReport {
  readonly directory: string;
  readonly isSound: boolean;
  /** Damage, in words; at most twenty findings. */
  readonly findings: readonly string[];
  readonly revision: number;
  readonly compacted: number;
  readonly keys: number;
}

export type WireWrite =
  | {
      readonly kind: 'put';
      readonly key: string;
      readonly value: BytesLocation;
      readonly ttlSeconds: number | undefined;
    }
  | { readonly kind: 'delete'; readonly key: string };

export interface CommitRequest {
  readonly kind: 'commit';
  readonly id: number;
  readonly require: readonly KeyRevision[];
  readonly writes: readonly WireWrite[];
}

export interface ListRequest {
  readonly kind: 'list';
  readonly id: number;
  readonly prefix: string;
  readonly limit: number | undefined;
  readonly after: string | undefined;
  readonly revision: Revision | undefined;
}

export type WorkerRequest =
  | CommitRequest
  | ListRequest
  | { readonly kind: 'get'; readonly id: number; readonly key: string }
  | { readonly kind: 'count'; readonly id: number; readonly prefix: string }
  /** A page of the feed from the history. */
  | { readonly kind: 'changes'; readonly id: number; readonly after: Revision }
  /** Commits include the replaced values from now on. */
  | { readonly kind: 'follow'; readonly id: number }
  | { readonly kind: 'compact'; readonly id: number; readonly revision: Revision }
  | { readonly kind: 'stats'; readonly id: number }
  | { readonly kind: 'maintenance'; readonly id: number }
  | { readonly kind: 'check-writable'; readonly id: number }
  | { readonly kind: 'backup'; readonly id: number; readonly file: string }
  /** The caller no longer waits for that request. */
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'close'; readonly id: number };

export interface ToWorker {
  readonly requests: readonly WorkerRequest[];
  readonly buffers: readonly ArrayBuffer[];
}

export interface WireStored {
  readonly key: string;
  readonly revision: Revision;
  /** Undefined for a damaged value. */
  readonly value: BytesLocation | undefined;
}

/** A commit that is on disk, in order of revision. */
export interface WireCommit {
  readonly revision: Revision;
  /** The request that committed it; undefined for expired keys. */
  readonly id: number | undefined;
  /** The keys that expired. */
  readonly expired: readonly string[];
  /** The values that the writes replaced, while a feed follows. */
  readonly previous: readonly (WireStored | undefined)[] | undefined;
}

/** Statistics of maintenance since the store was opened. */
export interface MaintenanceStats {
  readonly compactionSteps: number;
  /** By another thread, and in place when little was left. */
  readonly checkpoints: number;
  /** The longest that a request had to wait for a step of either. */
  readonly longestStepMs: number;
  /** The number of steps that took more than 20 ms. */
  readonly slowSteps: number;
  readonly historyBytes: number;
}

export type WorkerResponse =
  | { readonly kind: 'done'; readonly id: number }
  | { readonly kind: 'number'; readonly id: number; readonly number: number }
  | { readonly kind: 'stored'; readonly id: number; readonly stored: WireStored | undefined }
  | {
      readonly kind: 'conflict';
      readonly id: number;
      readonly key: string;
      readonly current: WireStored | undefined;
    }
  /** A part of a list; more follow until `page`. */
  | { readonly kind: 'items'; readonly id: number; readonly items: Columns }
  | {
      readonly kind: 'page';
      readonly id: number;
      readonly revision: Revision;
      readonly remaining: number;
    }
  | {
      readonly kind: 'changes';
      readonly id: number;
      readonly events: Columns;
      readonly progress: Revision;
    }
  | { readonly kind: 'stats'; readonly id: number; readonly stats: StorageStats }
  | { readonly kind: 'maintenance'; readonly id: number; readonly stats: MaintenanceStats }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: SerializedError };

export interface FromWorker {
  readonly revision: Revision;
  readonly compacted: Revision;
  readonly commits: readonly WireCommit[];
  readonly responses: readonly WorkerResponse[];
  readonly buffers: readonly ArrayBuffer[];
}

/** The first message of a worker, for some tasks the only one. */
export type FirstMessage =
  | { readonly kind: 'opened'; readonly revision: Revision; readonly compacted: Revision }
  | { readonly kind: 'backed-up'; readonly result: BackupResult }
  | { readonly kind: 'checked'; readonly report: CheckReport }
  | { readonly kind: 'restored'; readonly result: RestoreResult }
  | { readonly kind: 'refused'; readonly failure: SerializedError };
