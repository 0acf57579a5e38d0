import {
  assertChange,
  assertPrefix,
  type Change,
  type CommitResult,
  Compacted,
  type FeedBatch,
  type FeedOptions,
  FutureRevision,
  findConflict,
  type ListOptions,
  type Page,
  type ReadOptions,
  type Revision,
  type Storage,
  StorageClosed,
  type StorageStats,
  StorageUnavailable,
  type Stored,
  type Write,
} from '@tributary/storage';
import { ProjectionUnsupported } from './errors.ts';
import { Follower, type FollowerParts } from './follower.ts';
import { KeyTurns } from './key-turns.ts';
import type { Projector } from './projector.ts';
import { type SourceWriter, sourceWriter } from './source-writer.ts';

interface ProjectedStorageParts<Item> extends FollowerParts<Item> {
  readonly prefix: string;
  readonly projector: Projector<Item>;
}

/** The size of a batch of history; a consumer far behind gets several. */
const FEED_EVENTS_MAX = 1000;
/** Attempts of a write without a requirement, after conflicts with other writers. */
const WRITE_ATTEMPTS_MAX = 16;

/**
 * A source in the form of a store. Reads are served from a mirror of it, which contains every write of this process at
 * once, and changes made at the source as soon as the source reports them.
 */
export class ProjectedStorage<Item> implements Storage {
  readonly #parts: ProjectedStorageParts<Item>;
  readonly #follower: Follower<Item>;
  readonly #writer: SourceWriter<Item>;
  readonly #turns = new KeyTurns();
  #closing: Promise<void> | undefined;

  constructor(parts: ProjectedStorageParts<Item>) {
    this.#parts = parts;
    this.#follower = new Follower(parts);
    this.#writer = sourceWriter(parts, this.#follower);
  }

  async get(key: string, options?: ReadOptions): Promise<Stored | undefined> {
    await this.#ready(options);
    return this.#parts.mirror.entry(key)?.stored;
  }

  async list(prefix: string, options: ListOptions = {}): Promise<Page> {
    await this.#ready(options);
    assertPrefix(prefix);
    const { mirror } = this.#parts;
    const { limit = Number.MAX_SAFE_INTEGER, after, revision = mirror.revision } = options;
    if (revision > mirror.revision) throw new FutureRevision(revision, mirror.revision);
    if (revision < mirror.compacted) throw new Compacted(revision, mirror.compacted);
    return mirror.page({ prefix, after }, { revision, limit });
  }

  async count(prefix: string, options?: ReadOptions): Promise<number> {
    await this.#ready(options);
    assertPrefix(prefix);
    return this.#parts.mirror.count(prefix);
  }

  async commit(change: Change): Promise<CommitResult> {
    if (this.#closing !== undefined) throw new StorageClosed();
    assertChange(change);
    const write = onlyWrite(change, this.#parts.prefix);
    return this.#turns.take(write.key, async () => {
      await this.#follower.ready();
      return this.#write(change, write);
    });
  }

  /** Reads the history at its own pace: a slow consumer is bounded by the history, not by a buffer of its own. */
  async *feed(after: Revision, { signal }: FeedOptions): AsyncGenerator<FeedBatch> {
    const { mirror } = this.#parts;
    let progress = after;
    let first = true;
    if (!(await this.#readyUnlessAborted(signal))) return;
    while (!signal.aborted) {
      if (this.#closing !== undefined) throw new StorageClosed();
      this.#follower.availability.assertUp();
      if (progress < mirror.compacted) throw new Compacted(progress, mirror.compacted);
      if (mirror.revision > progress || (first && mirror.revision === progress)) {
        const events = mirror.changesAfter(progress, FEED_EVENTS_MAX);
        const last = events.at(-1)?.revision ?? mirror.revision;
        progress = events.length < FEED_EVENTS_MAX ? mirror.revision : last;
        first = false;
        yield { events, progress };
      } else {
        await mirror.sleepers.sleep(signal);
      }
    }
  }

  async currentRevision(options?: ReadOptions): Promise<Revision> {
    await this.#ready(options);
    return this.#parts.mirror.revision;
  }

  async compact(revision: Revision, options?: ReadOptions): Promise<void> {
    await this.#ready(options);
    const { mirror } = this.#parts;
    if (revision > mirror.revision) throw new FutureRevision(revision, mirror.revision);
    mirror.compact(revision);
  }

  async stats(options?: ReadOptions): Promise<StorageStats> {
    await this.#ready(options);
    const { revision, compacted, size, valueBytes } = this.#parts.mirror;
    return { revision, compacted, keys: size, valueBytes };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Waits for running writes; the source must report them, so that the follower ends last. */
  async #close(): Promise<void> {
    await Promise.resolve(); // so that `#closing` is set before a consumer wakes
    this.#parts.mirror.sleepers.wake();
    await this.#turns.idle();
    this.#follower.availability.close();
    await this.#follower.close();
  }

  async #ready(options?: ReadOptions): Promise<void> {
    if (this.#closing !== undefined) throw new StorageClosed();
    options?.signal?.throwIfAborted();
    await this.#follower.ready(options?.signal);
    if (this.#closing !== undefined) throw new StorageClosed();
  }

  async #readyUnlessAborted(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    try {
      await this.#ready({ signal });
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    }
  }

  /** A conflict at the source means that the mirror was behind: requirements are checked again on its new state. */
  async #write(change: Change, write: Write): Promise<CommitResult> {
    const { mirror, projector } = this.#parts;
    const { key } = write;
    for (let attempt = 0; attempt < WRITE_ATTEMPTS_MAX; attempt += 1) {
      const conflict = findConflict(change, (other) => mirror.entry(other)?.stored);
      if (conflict !== undefined) return conflict;
      const entry = mirror.entry(key);
      const item = write.kind === 'put' ? projector.item(write, entry?.item) : undefined;
      const result = await this.#writer.write({ key, item, entry });
      if (result.outcome === 'written') return result;
      if (result.outcome === 'taken') return { outcome: 'conflict', key, current: undefined };
    }
    throw new StorageUnavailable(
      `${key}: the source refused ${WRITE_ATTEMPTS_MAX} writes in a row`,
    );
  }
}

/** The one write that a source can do atomically: an item, if it is unchanged. */
function onlyWrite({ require, writes }: Change, prefix: string): Write {
  const [write, ...more] = writes as readonly [Write, ...Write[]];
  if (more.length > 0) {
    throw new ProjectionUnsupported('a projection writes one object at a time');
  }
  const other = require.find(({ key }) => key !== write.key);
  if (other !== undefined) {
    throw new ProjectionUnsupported(`a projection cannot require ${other.key} for ${write.key}`);
  }
  if (!write.key.startsWith(prefix)) {
    throw new ProjectionUnsupported(`${write.key} is not below ${prefix}`);
  }
  if (write.kind === 'put' && write.ttlSeconds !== undefined) {
    throw new ProjectionUnsupported('an object of a projection has no time to live');
  }
  return write;
}
