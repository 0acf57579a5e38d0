import {
  type ChangeEvent,
  type Clock,
  Compacted,
  type FeedBatch,
  type Revision,
  type Storage,
  StorageClosed,
  StorageUnreadable,
} from '@tributary/storage';
import { FeedInconsistent } from './errors.ts';
import { orAborted, Turn } from './event-loop.ts';
import { Progress } from './progress.ts';
import type { Wakeups } from './watch-queue.ts';

/** The cache of one resource, as the feed sees it. */
export interface FeedConsumer {
  readonly prefix: string;
  apply(event: ChangeEvent): void;
  /** Called when the feed has failed. It resumes at the same revision, unless the state is lost. */
  interrupt(options: { stateLost: boolean }): void;
}

interface ChangeFeedOptions {
  readonly clock: Clock;
  readonly wakeups: Wakeups;
  /** Called between batches, when all consumers are at the feed's revision. */
  readonly onProgress: () => void;
  readonly onFailure: (error: unknown) => void;
}

type Status = 'idle' | 'starting' | 'up' | 'down' | 'closed';

/** Less than a watcher's queue holds, so that a burst does not end an active watcher. */
const SLICE_EVENTS = 200;

const BACKOFF_MS = { first: 50, max: 5000 } as const;

/**
 * The one change feed of a store in this process, split by key prefix. All consumers are at its revision together: a
 * commit is visible in all of them or in none. When the feed fails the lag of the caches is unknown: watches end and
 * reads are refused until it has caught up.
 */
export class ChangeFeed {
  readonly #storage: Storage;
  readonly #options: ChangeFeedOptions;
  readonly #progress: Progress;
  readonly #consumers = new Map<string, FeedConsumer>();
  readonly #abort = new AbortController();
  #status: Status = 'idle';
  #statusSinceMs: number;
  #whenUp = Promise.withResolvers<boolean>();
  #running: Promise<void> | undefined;
  /** The consumers are at the revision of `#progress`, so that the feed can resume there. */
  #resumes = false;

  constructor(storage: Storage, options: ChangeFeedOptions) {
    this.#storage = storage;
    this.#options = options;
    this.#progress = new Progress(options.clock);
    this.#statusSinceMs = options.clock.nowMs();
  }

  get revision(): Revision {
    return this.#progress.revision;
  }

  get isUp(): boolean {
    return this.#status === 'up';
  }

  get isDown(): boolean {
    return this.#status === 'down' || this.#status === 'closed';
  }

  /** Milliseconds since the feed was last up. */
  get downMs(): number {
    return this.isUp ? 0 : this.#options.clock.nowMs() - this.#statusSinceMs;
  }

  attach(consumer: FeedConsumer): void {
    for (const { prefix } of this.#consumers.values()) {
      if (prefix.startsWith(consumer.prefix) || consumer.prefix.startsWith(prefix)) {
        throw new Error(`the prefixes of two resources overlap: ${prefix} and ${consumer.prefix}`);
      }
    }
    this.#consumers.set(consumer.prefix, consumer);
  }

  detach(consumer: FeedConsumer): void {
    this.#consumers.delete(consumer.prefix);
  }

  /** Waits until the feed is up, and starts it on the first call; returns false at once while it is down. */
  async up(signal: AbortSignal): Promise<boolean> {
    this.#start();
    if (this.#status === 'up') return true;
    if (this.isDown) return false;
    return orAborted(this.#whenUp.promise, signal);
  }

  reached(revision: Revision, options: { waitMs?: number; signal: AbortSignal }): Promise<boolean> {
    return this.#progress.reached(revision, options);
  }

  async close(): Promise<void> {
    if (this.#status !== 'closed') {
      this.#become('closed');
      this.#abort.abort();
      this.#interruptAll({ stateLost: true });
    }
    await this.#running;
  }

  #start(): void {
    if (this.#status !== 'idle') return;
    this.#become('starting');
    this.#running = this.#run();
  }

  async #run(): Promise<void> {
    const { signal } = this.#abort;
    let backoffMs: number = BACKOFF_MS.first;
    while (!signal.aborted) {
      try {
        await this.#follow(signal, () => {
          backoffMs = BACKOFF_MS.first;
        });
      } catch (error) {
        if (signal.aborted) return;
        this.#fail(error);
        if (error instanceof StorageClosed) return;
        await this.#sleep(backoffMs, signal);
        backoffMs = Math.min(backoffMs * 2, BACKOFF_MS.max);
      }
    }
  }

  /** Follows the store until the feed fails or the signal fires. */
  async #follow(signal: AbortSignal, onBatch: () => void): Promise<void> {
    const target = await this.#storage.currentRevision({ signal });
    if (!this.#resumes) this.#progress.advance(target);
    this.#resumes = true;
    if (this.revision >= target) this.#become('up');
    for await (const batch of this.#storage.feed(this.revision, { signal })) {
      onBatch();
      await this.#applyAll(batch);
      if (this.revision >= target) this.#become('up');
    }
    if (!signal.aborted) throw new Error('the feed of the store ended by itself');
  }

  /** Any error within a batch leaves the consumers between two revisions. */
  async #applyAll(batch: FeedBatch): Promise<void> {
    this.#resumes = false;
    await this.#apply(batch);
    this.#resumes = true;
  }

  /** Applies a long batch in slices that end between commits, and yields to the event loop between them. */
  async #apply({ events, progress }: FeedBatch): Promise<void> {
    const turn = new Turn();
    let seen = this.revision;
    let applied = 0;
    for (const event of events) {
      if (event.revision <= this.revision || event.revision < seen) {
        throw new FeedInconsistent(`revision ${event.revision} came after ${seen}`);
      }
      const isBetweenCommits = event.revision > seen && applied > 0;
      if (isBetweenCommits && (applied >= SLICE_EVENTS || turn.isOver)) {
        this.#advance(seen);
        await turn.next();
        applied = 0;
      }
      this.#consumerOf(event.key)?.apply(event);
      applied += 1;
      seen = event.revision;
    }
    if (progress < seen) {
      throw new FeedInconsistent(`progress is ${progress} after a change at ${seen}`);
    }
    this.#advance(progress);
  }

  #advance(revision: Revision): void {
    this.#progress.advance(revision);
    this.#options.wakeups.flush();
    this.#options.onProgress();
  }

  /** The prefix of a key ends at one of its last two slashes: names and namespaces are at most two segments. */
  #consumerOf(key: string): FeedConsumer | undefined {
    for (let end = key.lastIndexOf('/'); end > 0; end = key.lastIndexOf('/', end - 1)) {
      const consumer = this.#consumers.get(key.slice(0, end + 1));
      if (consumer !== undefined) return consumer;
    }
    return undefined;
  }

  #fail(error: unknown): void {
    // An event that cannot be decoded stops the feed at its revision; only a new list leads past it.
    if (error instanceof Compacted || error instanceof StorageUnreadable) this.#resumes = false;
    const stateLost = !this.#resumes;
    this.#become(error instanceof StorageClosed ? 'closed' : 'down');
    this.#interruptAll({ stateLost });
    this.#options.onFailure(error);
  }

  #interruptAll(options: { stateLost: boolean }): void {
    for (const consumer of this.#consumers.values()) consumer.interrupt(options);
  }

  #become(status: Status): void {
    if (this.#status === status) return;
    // A feed that fails again before it was up has been down since the first failure.
    if (status === 'up' || this.#status === 'up' || this.#status === 'idle') {
      this.#statusSinceMs = this.#options.clock.nowMs();
    }
    this.#status = status;
    if (status === 'starting') return;
    this.#whenUp.resolve(status === 'up');
  }

  async #sleep(delayMs: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => resolve();
    const cancel = this.#options.clock.schedule(delayMs, wake);
    signal.addEventListener('abort', wake);
    await promise;
    signal.removeEventListener('abort', wake);
    cancel();
  }
}
