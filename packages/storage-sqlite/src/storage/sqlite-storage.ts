import type { Worker } from 'node:worker_threads';
import {
  assertChange,
  assertPrefix,
  type Change,
  type CommitResult,
  Compacted,
  type FeedBatch,
  type FeedOptions,
  type ListOptions,
  type Page,
  type ReadOptions,
  type Revision,
  type Storage,
  StorageClosed,
  type StorageStats,
  type Stored,
  type Write,
} from '@tributary/storage';
import { unpack } from '../messages/byte-packer.ts';
import { unpackEvents, unpackStored } from '../messages/columns.ts';
import { damagedValue } from '../messages/errors.ts';
import type {
  FromWorker,
  MaintenanceStats,
  WireCommit,
  WireStored,
  WireWrite,
  WorkerResponse,
} from '../messages/messages.ts';
import { FeedTail } from './feed-tail.ts';
import { type NewRequest, WorkerLink } from './worker-link.ts';

export interface SqliteStorage extends Storage {
  /**
   * Writes all values at the returned revision into a new file while others read and write. The file appears only when
   * it is complete.
   */
  backup(file: string, options?: ReadOptions): Promise<Revision>;
  /** Statistics of compaction and checkpoints since the store was opened. */
  maintenanceStats(options?: ReadOptions): Promise<MaintenanceStats>;
}

type Buffers = readonly ArrayBuffer[];

/**
 * The store on the main thread. Every acknowledgement passes through it, so that its newest revision is never older
 * than what a caller has received.
 */
export class SqliteStorageClient implements SqliteStorage {
  readonly #link: WorkerLink;
  readonly #tail: FeedTail;
  #revision: Revision;
  #compacted: Revision;
  /** Whether commits include the replaced values; requested by the first feed. */
  #following: Promise<void> | undefined;
  #isFollowing = false;
  #closing: Promise<void> | undefined;
  #failure: Error | undefined;
  readonly #failed = Promise.withResolvers<Error>();

  constructor(worker: Worker, opened: { revision: Revision; compacted: Revision }) {
    this.#revision = opened.revision;
    this.#compacted = opened.compacted;
    this.#tail = new FeedTail(opened.revision);
    this.#link = new WorkerLink(worker, {
      commit: (commit, writes, buffers) => this.#committed(commit, writes, buffers),
      state: (message) => this.#onState(message),
      failed: (error) => {
        this.#failure = error;
        this.#tail.wake();
        if (this.#closing === undefined) this.#failed.resolve(error);
      },
    });
  }

  whenFailed(): Promise<Error> {
    return this.#failed.promise;
  }

  async get(key: string, options?: ReadOptions): Promise<Stored | undefined> {
    const found = await this.#request({ kind: 'get', key }, options, (response, buffers) => {
      return response.kind === 'stored' ? { value: stored(response.stored, buffers) } : undefined;
    });
    if (found?.unreadable) throw found.unreadable;
    return found;
  }

  async list(prefix: string, options: ListOptions = {}): Promise<Page> {
    assertPrefix(prefix);
    const { limit, after, revision } = options;
    const items: Stored[] = [];
    return this.#request(
      { kind: 'list', prefix, limit, after, revision },
      options,
      (response, buffers) => {
        if (response.kind === 'items') {
          for (const item of unpackStored(response.items, buffers)) items.push(item);
        }
        if (response.kind !== 'page') return undefined;
        return { value: { revision: response.revision, items, remaining: response.remaining } };
      },
    );
  }

  async count(prefix: string, options?: ReadOptions): Promise<number> {
    assertPrefix(prefix);
    return this.#request({ kind: 'count', prefix }, options, numberOf);
  }

  async commit(change: Change): Promise<CommitResult> {
    this.#assertOpen();
    assertChange(change);
    const bytes = bytesOf(change);
    this.#link.assertCapacity(bytes);
    const { promise, resolve, reject } = Promise.withResolvers<CommitResult>();
    const writes = change.writes.map((write) => this.#toWire(write));
    this.#link.send(
      {
        kind: 'commit',
        require: change.require.map(({ key, revision }) => ({ key, revision })),
        writes,
      },
      {
        writes: change.writes,
        committed: (revision) => resolve({ outcome: 'written', revision }),
        onResponse(response, buffers) {
          if (response.kind !== 'conflict') return false;
          const { key, current } = response;
          resolve({ outcome: 'conflict', key, current: stored(current, buffers) });
          return true;
        },
        reject,
      },
      bytes,
    );
    return promise;
  }

  /** History from the disk up to the shared tail of newest events, then from the tail. */
  async *feed(after: Revision, { signal }: FeedOptions): AsyncGenerator<FeedBatch> {
    const position = this.#tail.join(after);
    let isFirst = true;
    try {
      await this.#follow();
      while (!signal.aborted) {
        this.#assertOpen();
        const { progress } = position;
        if (progress < this.#compacted) throw new Compacted(progress, this.#compacted);
        const isBehind = this.#tail.end > progress || (isFirst && this.#tail.end === progress);
        if (this.#tail.covers(progress) && !isBehind) {
          await this.#tail.sleep(signal);
          continue;
        }
        const batch = this.#tail.covers(progress)
          ? this.#tail.after(position)
          : await this.#changes(progress, signal);
        if (batch === undefined) return;
        position.progress = batch.progress;
        isFirst = false;
        yield batch;
      }
    } finally {
      this.#tail.leave(position);
    }
  }

  async currentRevision(options?: ReadOptions): Promise<Revision> {
    this.#assertOpen(options);
    return this.#revision;
  }

  acknowledgedRevision(): Revision | undefined {
    const isOpen = this.#closing === undefined && this.#failure === undefined;
    return isOpen ? this.#revision : undefined;
  }

  compactedRevision(): Revision | undefined {
    const isOpen = this.#closing === undefined && this.#failure === undefined;
    return isOpen ? this.#compacted : undefined;
  }

  checkWritable(options?: ReadOptions): Promise<void> {
    return this.#request({ kind: 'check-writable' }, options, done);
  }

  compact(revision: Revision, options?: ReadOptions): Promise<void> {
    return this.#request({ kind: 'compact', revision }, options, done);
  }

  stats(options?: ReadOptions): Promise<StorageStats> {
    return this.#request({ kind: 'stats' }, options, (response) =>
      response.kind === 'stats' ? { value: response.stats } : undefined,
    );
  }

  maintenanceStats(options?: ReadOptions): Promise<MaintenanceStats> {
    return this.#request({ kind: 'maintenance' }, options, (response) =>
      response.kind === 'maintenance' ? { value: response.stats } : undefined,
    );
  }

  async backup(file: string, options?: ReadOptions): Promise<Revision> {
    const revision = await this.#request({ kind: 'backup', file }, options, numberOf);
    return revision as Revision;
  }

  close(): Promise<void> {
    this.#closing ??= this.#link.close();
    this.#tail.wake();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #assertOpen(options?: ReadOptions): void {
    if (this.#closing !== undefined) throw new StorageClosed();
    if (this.#failure !== undefined) throw this.#failure;
    options?.signal?.throwIfAborted();
  }

  /** `read` returns the value when a response completes it. */
  async #request<Value>(
    request: NewRequest,
    options: ReadOptions | undefined,
    read: (response: WorkerResponse, buffers: Buffers) => { value: Value } | undefined,
  ): Promise<Value> {
    this.#assertOpen(options);
    this.#link.assertCapacity(0);
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    const id = this.#link.send(request, {
      onResponse(response, buffers) {
        const result = read(response, buffers);
        if (result !== undefined) resolve(result.value);
        return result !== undefined;
      },
      reject,
    });
    const signal = options?.signal;
    if (signal === undefined) return promise;
    const cancel = () => this.#link.cancel(id, signal.reason);
    signal.addEventListener('abort', cancel);
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  async #changes(after: Revision, signal: AbortSignal): Promise<FeedBatch | undefined> {
    try {
      return await this.#request({ kind: 'changes', after }, { signal }, (response, buffers) => {
        if (response.kind !== 'changes') return undefined;
        const events = unpackEvents(response.events, buffers);
        return { value: { events, progress: response.progress } };
      });
    } catch (error) {
      if (signal.aborted && error === signal.reason) return undefined;
      throw error;
    }
  }

  #follow(): Promise<void> {
    this.#following ??= this.#request({ kind: 'follow' }, undefined, (response) => {
      // From the next message on every commit includes the replaced values.
      this.#isFollowing = true;
      return done(response);
    }).catch((error) => {
      // Possibly too many requests were waiting: the next feed tries again.
      this.#following = undefined;
      throw error;
    });
    return this.#following;
  }

  #committed(commit: WireCommit, writes: readonly Write[] | undefined, buffers: Buffers): void {
    const { revision, expired, previous } = commit;
    if (!this.#isFollowing || previous === undefined) return;
    const all = writes ?? expired.map((key): Write => ({ kind: 'delete', key }));
    for (const [at, write] of all.entries()) {
      const replaced = stored(previous[at], buffers);
      const { key } = write;
      if (write.kind === 'put') {
        this.#tail.append({ kind: 'put', key, revision, value: write.value, previous: replaced });
      } else if (replaced !== undefined) {
        this.#tail.append({ kind: 'delete', key, revision, previous: replaced });
      }
    }
  }

  #onState({ revision, compacted }: FromWorker): void {
    this.#revision = revision;
    if (compacted > this.#compacted) {
      this.#compacted = compacted;
      this.#tail.wake();
    }
    if (this.#isFollowing) this.#tail.reached(revision);
    else this.#tail.skipTo(revision);
  }

  #toWire(write: Write): WireWrite {
    if (write.kind === 'delete') return { kind: 'delete', key: write.key };
    const { kind, key, ttlSeconds } = write;
    return { kind, key, value: this.#link.pack(write.value), ttlSeconds };
  }
}

function bytesOf({ writes }: Change): number {
  return writes.reduce(
    (sum, write) => sum + (write.kind === 'put' ? write.value.byteLength : 0),
    0,
  );
}

function numberOf(response: WorkerResponse): { value: number } | undefined {
  return response.kind === 'number' ? { value: response.number } : undefined;
}

function done(response: WorkerResponse): { value: undefined } | undefined {
  return response.kind === 'done' ? { value: undefined } : undefined;
}

function stored(wire: WireStored | undefined, buffers: Buffers): Stored | undefined {
  return wire && fromWire(wire, buffers);
}

function fromWire({ key, revision, value }: WireStored, buffers: Buffers): Stored {
  if (value === undefined) return damagedValue({ key, revision });
  return { key, revision, value: unpack(buffers, value) };
}
