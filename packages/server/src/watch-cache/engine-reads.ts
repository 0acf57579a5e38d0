import { tooLargeResourceVersion } from '@tributary/apimachinery';
import {
  type Page,
  type Revision,
  type Storage,
  StorageUnreadable,
  type Stored,
  unreadableStored,
} from '@tributary/storage';
import { decodeStored, type ObjectContext, type ResourceObject } from './cached-object.ts';
import { memoryExhausted } from './errors.ts';
import { Turn } from './event-loop.ts';
import type { WatchCacheLimits } from './limits.ts';
import type { Selection } from './selection.ts';
import type { CachedList } from './types.ts';

interface EngineListRequest {
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
  /** Reads the state at this revision. Default: the current state. */
  readonly revision?: Revision | undefined;
  /** Fails when the store is older than this revision. */
  readonly atLeast?: Revision | undefined;
  readonly signal: AbortSignal;
}

/** Returns the cached object of a key, which a read of the engine shares when it is the same. */
type Known = (key: string) => ResourceObject | undefined;

/**
 * Reads from the storage engine: revisions before the cache's state, and resources that are not cached or not yet.
 * Objects are decoded like the cache's, and are the cache's own where they are the same.
 */
export class EngineReads {
  readonly #storage: Storage;
  readonly #context: ObjectContext;
  readonly #limits: Pick<WatchCacheLimits, 'pageObjectsMax' | 'bytesMax'>;
  readonly #known: Known;

  constructor(
    storage: Storage,
    context: ObjectContext,
    options: { limits: Pick<WatchCacheLimits, 'pageObjectsMax' | 'bytesMax'>; known: Known },
  ) {
    this.#storage = storage;
    this.#context = context;
    this.#limits = options.limits;
    this.#known = options.known;
  }

  async get(
    key: string,
    { atLeast, signal }: { atLeast?: Revision | undefined; signal: AbortSignal },
  ): Promise<ResourceObject | undefined> {
    const stored = await this.#stored(key, signal);
    if (atLeast !== undefined && (stored?.revision ?? 0) < atLeast) {
      assertReached(await this.#storage.currentRevision({ signal }), atLeast);
    }
    return stored && this.#object(stored);
  }

  /**
   * With selectors it reads on until the page is full, twice as much each time. The bytes of one list are bounded as
   * those of the caches are: beyond that the list is refused with 429.
   */
  async list(selection: Selection, request: EngineListRequest): Promise<CachedList> {
    const { limit = Number.POSITIVE_INFINITY } = request;
    const items: ResourceObject[] = [];
    const turn = new Turn();
    let bytes = 0;
    let pageSize = Math.min(limit, this.#limits.pageObjectsMax);
    let page = await this.#page(selection, request, {
      limit: pageSize,
      after: this.#start(request),
    });
    if (request.atLeast !== undefined) assertReached(page.revision, request.atLeast);
    for (;;) {
      for (const [index, stored] of page.items.entries()) {
        const object = this.#object(stored);
        if (turn.isOver) await turn.next();
        if (!selection.selects(object)) continue;
        items.push(object);
        bytes += object.size;
        if (bytes > this.#limits.bytesMax) throw memoryExhausted();
        if (items.length < limit) continue;
        return this.#full(selection, items, page, index);
      }
      const after = page.items.at(-1)?.key;
      if (page.remaining === 0 || after === undefined) {
        return { revision: page.revision, items, next: undefined, remaining: undefined };
      }
      pageSize = Math.min(pageSize * 2, this.#limits.pageObjectsMax);
      const { revision } = page;
      page = await this.#page(selection, { ...request, revision }, { limit: pageSize, after });
    }
  }

  #full(
    selection: Selection,
    items: readonly ResourceObject[],
    page: Page,
    lastIndex: number,
  ): CachedList {
    const behind = page.items.length - 1 - lastIndex + page.remaining;
    const last = items.at(-1)?.key.slice(this.#context.resource.prefix.length);
    return {
      revision: page.revision,
      items,
      next: behind > 0 ? last : undefined,
      remaining: selection.isSelective ? undefined : behind,
    };
  }

  async #page(
    selection: Selection,
    { revision, signal }: EngineListRequest,
    { limit, after }: { limit: number; after: string | undefined },
  ): Promise<Page> {
    // A key sorts first among the keys that it is a prefix of.
    const page = await this.#storage.list(selection.keyPrefix, {
      limit: selection.isExact ? 1 : limit,
      signal,
      ...(after !== undefined && { after }),
      ...(revision !== undefined && { revision }),
    });
    if (!selection.isExact) return page;
    const items = page.items.filter(({ key }) => key === selection.keyPrefix);
    return { revision: page.revision, items, remaining: 0 };
  }

  #start({ after }: EngineListRequest): string | undefined {
    return after === undefined ? undefined : this.#context.resource.prefix + after;
  }

  async #stored(key: string, signal: AbortSignal): Promise<Stored | undefined> {
    try {
      return await this.#storage.get(key, { signal });
    } catch (error) {
      if (!(error instanceof StorageUnreadable)) throw error;
      return unreadableStored({ key, revision: error.revision }, error);
    }
  }

  #object(stored: Stored): ResourceObject {
    const known = this.#known(stored.key);
    return known?.revision === stored.revision ? known : decodeStored(this.#context, stored);
  }
}

/** The engine does not wait for a revision: the client may retry at once. */
function assertReached(current: Revision, required: Revision): void {
  if (current < required) throw tooLargeResourceVersion(required, current, 0);
}
