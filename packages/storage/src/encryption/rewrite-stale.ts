import type { Clock } from '../contract/clock.ts';
import type { StorageUnreadable } from '../contract/errors.ts';
import type { Revision } from '../contract/revision.ts';
import type { Stored } from '../contract/storage.ts';
import type { EncryptedStorage, InspectedValue } from './encrypted-storage.ts';
import type { ValueForm } from './transformer.ts';

/** Progress of a walk: all keys of the prefixes before this one, and of this one up to `after`. */
export interface WalkPosition {
  readonly prefix: string;
  readonly after: string;
}

export interface WalkOptions {
  /** Key prefixes in this order; `''` is the whole store. */
  readonly prefixes: readonly string[];
  readonly signal?: AbortSignal;
  /** Values held in memory at a time. */
  readonly pageSize?: number;
  /** Continues an earlier walk over the same prefixes from its last progress. */
  readonly from?: WalkPosition;
  /** Called for each value that cannot be decrypted. The walk continues after it. */
  readonly onUnreadable?: (error: StorageUnreadable) => void;
}

export interface StaleScan {
  readonly scanned: number;
  readonly stale: number;
  readonly unreadable: number;
  /** The number of values in each form: `identity`, `aesgcm:key1`. */
  readonly forms: ReadonlyMap<ValueForm, number>;
}

/**
 * Counts the values that a rewrite would change, and changes nothing. With none stale and none unreadable, only history
 * still needs the other keys of the configuration.
 */
export async function scanForStale(
  storage: EncryptedStorage,
  options: WalkOptions,
): Promise<StaleScan> {
  const forms = new Map<ValueForm, number>();
  let [scanned, stale, unreadable] = [0, 0, 0];
  for await (const { items } of walk(storage, options)) {
    scanned += items.length;
    for (const item of items) {
      if (item.kind === 'unreadable') {
        unreadable += 1;
        options.onUnreadable?.(item.error);
        continue;
      }
      if (item.stored.stale) stale += 1;
      forms.set(item.form, (forms.get(item.form) ?? 0) + 1);
    }
  }
  return { scanned, stale, unreadable, forms };
}

export interface RewriteOptions extends WalkOptions {
  /** The maximum number of values per second; without it as fast as the store accepts them. */
  readonly perSecondMax?: number;
  /** The clock of the rate limit. The default keeps the process alive while it waits. */
  readonly clock?: Clock;
  readonly onProgress?: (progress: RewriteProgress) => void;
  /**
   * The time to live of a rewritten key, from now. The store does not expose a key's remaining time, and a write
   * replaces it: without a result the key does not expire.
   */
  readonly ttlSecondsOf?: (key: string) => number | undefined;
}

export interface RewriteCounts {
  readonly scanned: number;
  readonly rewritten: number;
  /** Written or deleted by another writer in between, and therefore left alone. */
  readonly changed: number;
  readonly unreadable: number;
}

export interface RewriteProgress extends RewriteCounts {
  readonly position: WalkPosition;
}

export interface RewriteResult extends RewriteCounts {
  /** Compacting to this revision removes the replaced values from history as well. */
  readonly revision: Revision;
}

/**
 * Writes every stale value again, unchanged, in the form of the current configuration. Each write requires the value's
 * revision, so that a rewrite may run beside other writers, twice, or from the position of an earlier run. A value that
 * a replica with an older configuration writes meanwhile is stale again, see `scanForStale`.
 */
export async function rewriteStale(
  storage: EncryptedStorage,
  options: RewriteOptions,
): Promise<RewriteResult> {
  const counts = { scanned: 0, rewritten: 0, changed: 0, unreadable: 0 };
  const pace = new Pace(options);
  for await (const { items, position } of walk(storage, options)) {
    for (const item of items) {
      if (item.kind !== 'unreadable') continue;
      counts.unreadable += 1;
      options.onUnreadable?.(item.error);
    }
    for (const chunk of chunks(items.flatMap(staleOf), pace.chunkSize)) {
      await pace.wait(chunk.length);
      const written = await Promise.all(chunk.map((stored) => rewrite(storage, stored, options)));
      for (const rewritten of written) counts[rewritten ? 'rewritten' : 'changed'] += 1;
    }
    counts.scanned += items.length;
    options.onProgress?.({ ...counts, position });
  }
  return { ...counts, revision: await storage.currentRevision(readOptions(options)) };
}

/** Enough for an engine that groups commits, without delaying other writers. */
const COMMITS_AT_A_TIME = 16;
const PAGE_SIZE = 100;

function staleOf(item: InspectedValue): Stored[] {
  return item.kind === 'readable' && item.stored.stale ? [item.stored] : [];
}

async function rewrite(
  storage: EncryptedStorage,
  { key, value, revision }: Stored,
  { ttlSecondsOf }: RewriteOptions,
): Promise<boolean> {
  const ttlSeconds = ttlSecondsOf?.(key);
  const ttl = ttlSeconds === undefined ? {} : { ttlSeconds };
  const { outcome } = await storage.commit({
    require: [{ key, revision }],
    writes: [{ kind: 'put', key, value, ...ttl }],
  });
  return outcome === 'written';
}

interface WalkStep {
  readonly items: readonly InspectedValue[];
  readonly position: WalkPosition;
}

/** Each page is read at its own time: values written meanwhile follow the current rules. */
async function* walk(storage: EncryptedStorage, options: WalkOptions): AsyncGenerator<WalkStep> {
  const { prefixes, from, pageSize = PAGE_SIZE } = options;
  const start = from === undefined ? 0 : prefixes.indexOf(from.prefix);
  if (start === -1) throw new TypeError(`not one of the prefixes to walk: ${from?.prefix}`);
  for (const prefix of prefixes.slice(start)) {
    let after = from?.prefix === prefix ? from.after : '';
    for (let remaining = 1; remaining > 0; ) {
      const page = await storage.inspect(prefix, {
        limit: pageSize,
        after,
        ...readOptions(options),
      });
      after = keyOf(page.items.at(-1)) ?? after;
      remaining = page.items.length === 0 ? 0 : page.remaining;
      yield { items: page.items, position: { prefix, after } };
    }
  }
}

function keyOf(item: InspectedValue | undefined): string | undefined {
  return item?.kind === 'readable' ? item.stored.key : item?.error.key;
}

function readOptions({ signal }: WalkOptions): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

function* chunks<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}

/** Unlike the system clock's, its timers keep the process alive until the rewrite is done. */
const aliveClock: Clock = {
  nowMs: () => performance.now(),
  schedule(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Allows a number of writes per second, counted from the start. */
class Pace {
  readonly #clock: Clock;
  readonly #startMs: number;
  readonly #perSecondMax: number;
  readonly #signal: AbortSignal | undefined;
  #passed = 0;

  constructor(options: RewriteOptions) {
    const { perSecondMax = Number.POSITIVE_INFINITY, signal, clock = aliveClock } = options;
    if (!(perSecondMax > 0)) throw new TypeError(`perSecondMax must be above 0: ${perSecondMax}`);
    this.#clock = clock;
    this.#startMs = clock.nowMs();
    this.#perSecondMax = perSecondMax;
    this.#signal = signal;
  }

  /** A low rate is not spent in bursts. */
  get chunkSize(): number {
    return Math.min(COMMITS_AT_A_TIME, Math.ceil(this.#perSecondMax));
  }

  async wait(count: number): Promise<void> {
    const dueMs = this.#startMs + (this.#passed * 1000) / this.#perSecondMax;
    this.#passed += count;
    const waitMs = dueMs - this.#clock.nowMs();
    if (waitMs > 0) await this.#sleep(waitMs);
    this.#signal?.throwIfAborted();
  }

  /** The signal ends it early. */
  async #sleep(delayMs: number): Promise<void> {
    if (this.#signal?.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#clock.schedule(delayMs, resolve);
    const wake = () => resolve();
    this.#signal?.addEventListener('abort', wake, { once: true });
    try {
      await promise;
    } finally {
      cancel();
      this.#signal?.removeEventListener('abort', wake);
    }
  }
}
