import type { ChangeEvent, Revision, Storage, Stored } from '@tributary/storage';
import { decodeStored, type ObjectContext } from './cached-object.ts';
import type { ChangeFeed } from './change-feed.ts';
import { FeedInconsistent } from './errors.ts';
import { Turn } from './event-loop.ts';
import type { WatchCacheLimits } from './limits.ts';
import { ResourceState } from './resource-state.ts';

interface FillingParts {
  readonly storage: Pick<Storage, 'list'>;
  readonly limits: WatchCacheLimits;
  readonly feed: ChangeFeed;
  /** False when the caches exceed their bound and nothing can be dropped. */
  readonly makeRoom: () => boolean;
}

export type FillingOutcome =
  | { readonly kind: 'filled' }
  | { readonly kind: 'noRoom'; readonly bytes: number }
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * Fills an empty cache. Pages are read while the feed continues: a change from the feed is at least as new as the page
 * that contains its key, and a key without one has been the same since the start, whichever page contains it. So pages
 * need not be of one revision, and compaction cannot overtake the filling; it is complete once the feed has reached the
 * revision of the newest page.
 */
export class Filling {
  readonly state: ResourceState;
  /** Never rejects. */
  readonly finished: Promise<FillingOutcome>;
  readonly #parts: FillingParts;
  readonly #touched = new Set<string>();
  readonly #abort = new AbortController();

  constructor(context: ObjectContext, parts: FillingParts) {
    this.state = new ResourceState(context, parts.limits);
    this.#parts = parts;
    this.finished = this.#run();
  }

  abort(): void {
    this.#abort.abort();
  }

  apply(event: ChangeEvent): void {
    this.#touched.add(event.key);
    if (event.kind === 'put') this.state.load(decodeStored(this.state.context, event));
    else this.state.unload(event.key);
    this.state.beginAt(event.revision);
  }

  async #run(): Promise<FillingOutcome> {
    const { signal } = this.#abort;
    try {
      if (!(await this.#parts.feed.up(signal))) throw new Error('the feed of the store is down');
      return await this.#readPages(signal);
    } catch (error) {
      return { kind: 'failed', error };
    }
  }

  async #readPages(signal: AbortSignal): Promise<FillingOutcome> {
    const { feed, makeRoom } = this.#parts;
    const floor = feed.revision;
    let newest = floor;
    let after: string | undefined;
    do {
      const page = await this.#readPage(after, signal);
      if (page.revision < floor) throw staleList(page.revision, floor);
      if (page.revision > newest) newest = page.revision;
      if (!makeRoom()) return { kind: 'noRoom', bytes: this.state.bytes };
      after = page.next;
    } while (after !== undefined);
    await feed.reached(newest, { signal });
    if (newest > this.state.lastChange) this.state.beginAt(newest);
    return { kind: 'filled' };
  }

  /** Returns nothing of the page but the objects, so that its memory can be freed while the next page is read. */
  async #readPage(
    after: string | undefined,
    signal: AbortSignal,
  ): Promise<{ revision: Revision; next: string | undefined }> {
    const { storage, limits } = this.#parts;
    const { prefix } = this.state.context.resource;
    const options = { limit: limits.pageObjectsMax, signal };
    const page = await storage.list(prefix, after === undefined ? options : { ...options, after });
    await this.#load(page.items);
    return {
      revision: page.revision,
      next: page.remaining > 0 ? page.items.at(-1)?.key : undefined,
    };
  }

  async #load(items: readonly Stored[]): Promise<void> {
    const turn = new Turn();
    for (const [index, stored] of items.entries()) {
      if (!this.#touched.has(stored.key)) this.state.load(decodeStored(this.state.context, stored));
      if (index % 64 === 63 && turn.isOver) await turn.next();
      this.#abort.signal.throwIfAborted();
    }
  }
}

function staleList(revision: Revision, floor: Revision): Error {
  return new FeedInconsistent(`a list has revision ${revision}, the feed has reported ${floor}`);
}
