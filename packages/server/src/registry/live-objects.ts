import { isDeepStrictEqual } from 'node:util';
import { conflict, type KubeObject, notFound, storeReadError } from '@tributary/apimachinery';
import { type Revision, type Storage, StorageUnreadable, type Stored } from '@tributary/storage';
import { isJson } from '../watch-cache/cached-object.ts';
import type { Readable, WatchCache } from '../watch-cache/types.ts';
import { type ObjectName, objectKey, objectKeyPath } from './object-name.ts';
import { RecentWrites } from './recent-writes.ts';
import { type StoreCodec, withRevision } from './store-codec.ts';
import type { Strategy } from './strategy.ts';
import type { WriteOptions } from './write-options.ts';

/** An object as it is known at the start of a write. */
export interface LiveObject {
  readonly object: KubeObject;
  readonly readable: Readable;
  readonly revision: Revision;
  /** The object must be written even when nothing changes. */
  readonly stale: boolean;
  /** The object was read from the store: errors of an attempt with it are final. */
  readonly fresh: boolean;
}

export interface Attempt {
  /** Set when the object may be written: later errors do not depend on the freshness of the live object. */
  isValid: boolean;
}

/** The result of an attempt that starts again from the store: it lost a race, or its live object may be outdated. */
export const RETRY = Symbol('retry');
export type Retry = typeof RETRY;

type Waiting = Pick<WriteOptions, 'signal'>;

export interface LiveObjectsOptions {
  readonly storage: Storage;
  readonly cache: WatchCache;
  readonly codec: StoreCodec;
  readonly strategy: Strategy;
}

/** Reads the present state of objects for writes: from the cache first, and after a lost race from the store. */
export class LiveObjects {
  readonly #storage: Storage;
  readonly #cache: WatchCache;
  readonly #codec: StoreCodec;
  readonly #strategy: Strategy;
  readonly #recent = new RecentWrites();

  constructor({ storage, cache, codec, strategy }: LiveObjectsOptions) {
    this.#storage = storage;
    this.#cache = cache;
    this.#codec = codec;
    this.#strategy = strategy;
  }

  /**
   * Repeats an attempt until no other writer is faster. The first one has the cached object; an error of that one may
   * only mean that the cache is behind.
   */
  async attempt<T>(
    name: ObjectName,
    options: Waiting,
    run: (live: LiveObject, attempt: Attempt) => Promise<T | Retry>,
  ): Promise<T> {
    let live = (await this.#cached(name, options)) ?? (await this.read(name, options));
    for (;;) {
      if (live === undefined) throw notFound(this.#strategy.resource, name.name);
      const attempt: Attempt = { isValid: false };
      try {
        const result = await run(live, attempt);
        if (result !== RETRY) return result;
      } catch (error) {
        if (live.fresh || attempt.isValid) throw error;
      }
      options.signal.throwIfAborted();
      live = await this.read(name, options);
    }
  }

  async read(name: ObjectName, options: Waiting): Promise<LiveObject | undefined> {
    const stored = await this.#stored(objectKey(this.#strategy, name), options);
    if (stored === undefined) return undefined;
    const { readable, stale } = await this.#codec.read(stored, options);
    return { object: readable.object(), readable, revision: stored.revision, stale, fresh: true };
  }

  /** Saves the next write of the object from decoding it. */
  remember(
    name: ObjectName,
    written: Readable,
    write: { revision: Revision; bytes: number },
  ): void {
    const path = objectKeyPath(this.#strategy, name);
    this.#recent.add(path, { ...write, object: written.object() });
  }

  /** The revision of an object that cannot be decoded; throws for other objects. */
  async unreadableRevision(name: ObjectName, { signal }: Waiting): Promise<Revision> {
    const { resource } = this.#strategy;
    const key = objectKey(this.#strategy, name);
    try {
      const stored = await this.#storage.get(key, { signal });
      if (stored === undefined) throw notFound(resource, name.name);
      if (!isJson(stored.value)) return stored.revision;
    } catch (error) {
      if (error instanceof StorageUnreadable) return error.revision;
      throw error;
    }
    const detail = 'unsafe deletion is not allowed because the object is decodable from storage';
    throw conflict(
      resource,
      name.name,
      `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${detail}`,
    );
  }

  async #cached(name: ObjectName, options: Waiting): Promise<LiveObject | undefined> {
    const path = objectKeyPath(this.#strategy, name);
    const cached = await this.#cache.get(path, { kind: 'any' }, options);
    if (cached === undefined) return undefined;
    const { revision, stale } = cached;
    const readable = await this.#codec.cached(cached, options);
    const object = this.#recent.find(path, revision) ?? readable.object();
    return { object, readable, revision, stale, fresh: false };
  }

  async #stored(key: string, { signal }: Waiting): Promise<Stored | undefined> {
    try {
      return await this.#storage.get(key, { signal });
    } catch (error) {
      if (error instanceof StorageUnreadable) throw storeReadError(key, error);
      throw error;
    }
  }
}

/** A write without a change is skipped: no new revision, no event. The order of fields does not matter. */
export function isUnchanged(next: KubeObject, { object, stale, revision }: LiveObject): boolean {
  return !stale && isDeepStrictEqual(withRevision(next, revision), object);
}
