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
  Answer,
  FromWorker,
  UpkeepStats,
  WireCommit,
  WireStored,
  WireWrite,
} from '../messages/messages.ts';
import { FeedTail } from './feed-tail.ts';
import { type Ask, WorkerLink } from './worker-link.ts';

export interface SqliteStorage extends Storage {
  /**
   * Writes all values at the returned revision into a new file while others read and write. The file appears only when
   * it is complete.
   */
  backup(file: string, options?: ReadOptions): Promise<Revision>;
  /** Statistics of compaction and checkpoints since the store was opened. */
  upkeepStats(options?: ReadOptions): Promise<UpkeepStats>;
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
      state: (message) => this.#learn(message),
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
    const found = await this.#ask({ kind: 'get', key }, options, (answer, buffers) => {
      return answer.kind === 'stored' ? { value: stored(answer.stored, buffers) } : undefined;
    });
    if (found?.unreadable) throw found.unreadable;
    return found;
  }

  async list(prefix: string, options: ListOptions = {}): Promise<Page> {
    assertPrefix(prefix);
    const { limit, after, revision } = options;
    const items: Stored[] = [];
    return this.#ask(
      { kind: 'list', prefix, limit, after, revision },
      options,
      (answer, buffers) => {
        if (answer.kind === 'items') {
          for (const item of unpackStored(answer.items, buffers)) items.push(item);
        }
        if (answer.kind !== 'page') return undefined;
        return { value: { revision: answer.revision, items, remaining: answer.remaining } };
      },
    );
  }

  async count(prefix: string, options?: ReadOptions): Promise<number> {
    assertPrefix(prefix);
    return this.#ask({ kind: 'count', prefix }, options, numberOf);
  }

  async commit(change: Change): Promise<CommitResult> {
    this.#admit();
    assertChange(change);
    const bytes = bytesOf(change);
    this.#link.assertRoom(bytes);
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
        answer(answer, buffers) {
          if (answer.kind !== 'conflict') return false;
          const { key, current } = answer;
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
        this.#admit();
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
    this.#admit(options);
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
    return this.#ask({ kind: 'check-writable' }, options, done);
  }

  compact(revision: Revision, options?: ReadOptions): Promise<void> {
    return this.#ask({ kind: 'compact', revision }, options, done);
  }

  stats(options?: ReadOptions): Promise<StorageStats> {
    return this.#ask({ kind: 'stats' }, options, (answer) =>
      answer.kind === 'stats' ? { value: answer.stats } : undefined,
    );
  }

  upkeepStats(options?: ReadOptions): Promise<UpkeepStats> {
    return this.#ask({ kind: 'upkeep' }, options, (answer) =>
      answer.kind === 'upkeep' ? { value: answer.stats } : undefined,
    );
  }

  async backup(file: string, options?: ReadOptions): Promise<Revision> {
    const revision = await this.#ask({ kind: 'backup', file }, options, numberOf);
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

  #admit(options?: ReadOptions): void {
    if (this.#closing !== undefined) throw new StorageClosed();
    if (this.#failure !== undefined) throw this.#failure;
    options?.signal?.throwIfAborted();
  }

  /** `read` returns the value when a response completes it. */
  async #ask<Value>(
    ask: Ask,
    options: ReadOptions | undefined,
    read: (answer: Answer, buffers: Buffers) => { value: Value } | undefined,
  ): Promise<Value> {
    this.#admit(options);
    this.#link.assertRoom(0);
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    const id = this.#link.send(ask, {
      answer(answer, buffers) {
        const result = read(answer, buffers);
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
      return await this.#ask({ kind: 'changes', after }, { signal }, (answer, buffers) => {
        if (answer.kind !== 'changes') return undefined;
        const events = unpackEvents(answer.events, buffers);
        return { value: { events, progress: answer.progress } };
      });
    } catch (error) {
      if (signal.aborted && error === signal.reason) return undefined;
      throw error;
    }
  }

  #follow(): Promise<void> {
    this.#following ??= this.#ask({ kind: 'follow' }, undefined, (answer) => {
      // From the next message on every commit includes the replaced values.
      this.#isFollowing = true;
      return done(answer);
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

  #learn({ revision, compacted }: FromWorker): void {
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

function numberOf(answer: Answer): { value: number } | undefined {
  return answer.kind === 'number' ? { value: answer.number } : undefined;
}

function done(answer: Answer): { value: undefined } | undefined {
  return answer.kind === 'done' ? { value: undefined } : undefined;
}

function stored(wire: WireStored | undefined, buffers: Buffers): Stored | undefined {
  return wire && fromWire(wire, buffers);
}

function fromWire({ key, revision, value }: WireStored, buffers: Buffers): Stored {
  if (value === undefined) return damagedValue({ key, revision });
  return { key, revision, value: unpack(buffers, value) };
}
