import { type KubeObject, serverTimeout } from '@tributary/apimachinery';
import {
  ABSENT,
  type Change,
  type CommitResult,
  type KeyRevision,
  type Revision,
  type Storage,
  StorageUnavailable,
  type Write,
} from '@tributary/storage';
import type { ObjectChange } from '../definition/lifecycle.ts';
import { type LiveObject, RETRY, type Retry } from './live-objects.ts';
import type { Strategy } from './strategy.ts';
import type { WriteOptions } from './write-options.ts';

/** An object with its stored form. */
export interface EncodedObject {
  readonly object: KubeObject;
  readonly value: Uint8Array;
}

/** `generateName` may try another name after `exists`, and the namespace must be checked again after `namespace`. */
type CreateResult =
  | { readonly outcome: 'written'; readonly revision: Revision }
  | { readonly outcome: 'exists' | 'namespace' | 'retry' };

type CommitOptions = Pick<WriteOptions, 'signal' | 'place'>;

/** Commits writes of objects together with the other keys that their kind writes atomically with them. */
export class ObjectCommits {
  readonly #storage: Storage;
  readonly #strategy: Strategy;

  constructor({ storage, strategy }: { readonly storage: Storage; readonly strategy: Strategy }) {
    this.#storage = storage;
    this.#strategy = strategy;
  }

  async create(
    key: string,
    { object, value }: EncodedObject,
    namespace: KeyRevision | undefined,
    options: CommitOptions,
  ): Promise<CreateResult> {
    const change = { next: object };
    const require = [{ key, revision: ABSENT }, ...(namespace ? [namespace] : [])];
    const writes = [this.#put(key, value)];
    const result = await this.#commit('create', change, { require, writes }, options);
    if (result.outcome === 'written') return result;
    if (result.key === namespace?.key) return { outcome: 'namespace' };
    if (result.key === key) return { outcome: 'exists' };
    this.#strategy.lifecycle.atomicWrites?.onConflict(result.key, change);
    return { outcome: 'retry' };
  }

  /** Replaces the live object, or removes it without a next one. */
  async change(
    operation: 'update' | 'delete',
    key: string,
    { live, next }: { readonly live: LiveObject; readonly next?: EncodedObject },
    options: CommitOptions,
  ): Promise<Revision | Retry> {
    const change = { live: live.object, ...(next && { next: next.object }) };
    const require = [{ key, revision: live.revision }];
    const writes = [next ? this.#put(key, next.value) : ({ kind: 'delete', key } as const)];
    const result = await this.#commit(operation, change, { require, writes }, options);
    if (result.outcome === 'written') return result.revision;
    if (result.key !== key) this.#strategy.lifecycle.atomicWrites?.onConflict(result.key, change);
    return RETRY;
  }

  /** Removes a stored value whatever it is; returns whether it still had the revision. */
  async remove(key: string, revision: Revision): Promise<boolean> {
    const writes = [{ kind: 'delete', key }] as const;
    const result = await this.#storage.commit({ require: [{ key, revision }], writes });
    return result.outcome === 'written';
  }

  async #commit(
    operation: string,
    change: ObjectChange,
    { require, writes }: Change,
    { signal, place }: CommitOptions,
  ): Promise<CommitResult> {
    const { resource, lifecycle } = this.#strategy;
    const { atomicWrites } = lifecycle;
    try {
      if (place !== undefined) await place.isNext;
      const readKey = (key: string) => this.#storage.get(key, { signal });
      const more = atomicWrites && (await atomicWrites.writes(change, readKey));
      const committing = this.#storage.commit({
        require: [...require, ...(more?.require ?? [])],
        writes: [...writes, ...(more?.writes ?? [])],
      });
      place?.leave();
      return await committing;
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error;
      throw serverTimeout(resource, operation, 2, { cause: error });
    }
  }

  #put(key: string, value: Uint8Array): Write {
    const { ttlSeconds } = this.#strategy.lifecycle;
    return { kind: 'put', key, value, ...(ttlSeconds !== undefined && { ttlSeconds }) };
  }
}
