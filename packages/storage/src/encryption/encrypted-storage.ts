import { StorageUnreadable } from '../contract/errors.ts';
import type { Revision } from '../contract/revision.ts';
import type {
  Change,
  ChangeEvent,
  CommitResult,
  FeedBatch,
  FeedOptions,
  ListOptions,
  Page,
  ReadOptions,
  Storage,
  StorageStats,
  Stored,
  Write,
} from '../contract/storage.ts';
import { unreadablePut, unreadableStored } from '../contract/unreadable-value.ts';
import type { EncryptionConfig } from './config.ts';
import { EncryptionRules, type KeyPrefixOf } from './encryption-rules.ts';
import { type KeyUsage, type KeyUsageOptions, KeyUsages } from './key-usage.ts';
import { mapInTurns } from './map-in-turns.ts';
import type { Opened, ValueForm } from './transformer.ts';

export interface EncryptedStorageOptions extends KeyUsageOptions {
  readonly keyPrefixOf: KeyPrefixOf;
}

/**
 * A store whose engine holds the values of chosen resources encrypted. It adds to the contract:
 *
 * - A value that cannot be decrypted is `unreadable`, like a damaged one: `get` rejects with `StorageUnreadable`, and
 *   lists, feeds and conflicts contain it.
 * - `stats().valueBytes` counts the decrypted values. It is exact when nothing is stale.
 */
export interface EncryptedStorageOptions extends KeyUsageOptions {
  readonly keyPrefixOf: KeyPrefixOf;
}

/**
 * A store whose engine holds the values of chosen resources encrypted. It adds to the contract:
 * - A value that cannot be decrypted is `unreadable`, like a damaged one: `get` rejects with `StorageUnreadable`, and
 * lists, feeds and conflicts contain it.
 * - `stats().valueBytes` counts the decrypted values. It is exact when nothing is stale.
 */
export interface EncryptedStorage extends Storage {
  /**
   * Every later write and read follows the new configuration. Resolves when no commit under the old one is under way,
   * so that all stale values are in the store. An invalid configuration changes nothing.
   */
  reloadEncryption(config: EncryptionConfig): Promise<void>;
  /** `list` for maintenance: values that cannot be decrypted are items like others. */
  inspect(prefix: string, options?: ListOptions): Promise<InspectedPage>;
  /** The number of values that each key has encrypted in this process. */
  keyUsage(): readonly KeyUsage[];
}

export interface InspectedPage extends Omit<Page, 'items'> {
  readonly items: readonly InspectedValue[];
}

export type InspectedValue =
  | { readonly kind: 'readable'; readonly stored: Stored; readonly form: ValueForm }
  | { readonly kind: 'unreadable'; readonly error: StorageUnreadable };

export function encryptedStorage(
  storage: Storage,
  config: EncryptionConfig,
  options: EncryptedStorageOptions,
): EncryptedStorage {
  return new Encrypted(storage, config, options);
}

class Encrypted implements EncryptedStorage {
  readonly #storage: Storage;
  readonly #keyPrefixOf: KeyPrefixOf;
  readonly #usages: KeyUsages;
  readonly #underWay = new Set<Promise<unknown>>();
  /** Replaced as a whole. A page is decrypted by the rules at the time of its arrival. */
  #rules: EncryptionRules;

  constructor(storage: Storage, config: EncryptionConfig, options: EncryptedStorageOptions) {
    this.#storage = storage;
    this.#keyPrefixOf = options.keyPrefixOf;
    this.#usages = new KeyUsages(options);
    this.#rules = this.#rulesOf(config);
  }

  whenFailed(): Promise<Error> {
    return this.#storage.whenFailed?.() ?? new Promise(() => {});
  }

  async reloadEncryption(config: EncryptionConfig): Promise<void> {
    this.#rules = this.#rulesOf(config);
    await Promise.allSettled(this.#underWay);
  }

  keyUsage(): readonly KeyUsage[] {
    return this.#usages.read();
  }

  async get(key: string, options?: ReadOptions): Promise<Stored | undefined> {
    const stored = await this.#storage.get(key, options);
    return stored && openBy(this.#rules, stored).stored;
  }

  async list(prefix: string, options?: ListOptions): Promise<Page> {
    const page = await this.#storage.list(prefix, options);
    const rules = this.#rules;
    const open = (stored: Stored) => openOrMark(rules, stored);
    return { ...page, items: await mapInTurns(page.items, open, { signal: options?.signal }) };
  }

  async inspect(prefix: string, options?: ListOptions): Promise<InspectedPage> {
    const page = await this.#storage.list(prefix, options);
    const rules = this.#rules;
    const look = (stored: Stored) => inspectBy(rules, stored);
    return { ...page, items: await mapInTurns(page.items, look, { signal: options?.signal }) };
  }

  count(prefix: string, options?: ReadOptions): Promise<number> {
    return this.#storage.count(prefix, options);
  }

  async commit(change: Change): Promise<CommitResult> {
    const result = await this.#tracked(this.#storage.commit(sealBy(this.#rules, change)));
    if (result.outcome === 'written' || result.current === undefined) return result;
    return { ...result, current: openOrMark(this.#rules, result.current) };
  }

  async *feed(after: Revision, options: FeedOptions): AsyncGenerator<FeedBatch> {
    for await (const batch of this.#storage.feed(after, options)) {
      const rules = this.#rules;
      yield {
        ...batch,
        events: await mapInTurns(batch.events, (event) => openEvent(rules, event)),
      };
    }
  }

  currentRevision(options?: ReadOptions): Promise<Revision> {
    return this.#storage.currentRevision(options);
  }

  acknowledgedRevision(): Revision | undefined {
    return this.#storage.acknowledgedRevision?.();
  }

  compactedRevision(): Revision | undefined {
    return this.#storage.compactedRevision?.();
  }

  async checkWritable(options?: ReadOptions): Promise<void> {
    await this.#storage.checkWritable?.(options);
  }

  compact(revision: Revision, options?: ReadOptions): Promise<void> {
    return this.#storage.compact(revision, options);
  }

  async stats(options?: ReadOptions): Promise<StorageStats> {
    const stats = await this.#storage.stats(options);
    let valueBytes = stats.valueBytes;
    for (const { prefix, bytes } of this.#rules.overheads()) {
      if (bytes !== 0) valueBytes -= bytes * (await this.#storage.count(prefix, options));
    }
    return { ...stats, valueBytes: Math.max(0, valueBytes) };
  }

  close(): Promise<void> {
    return this.#storage.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #rulesOf(config: EncryptionConfig): EncryptionRules {
    return new EncryptionRules(config, { keyPrefixOf: this.#keyPrefixOf, usages: this.#usages });
  }

  async #tracked<Result>(commit: Promise<Result>): Promise<Result> {
    this.#underWay.add(commit);
    try {
      return await commit;
    } finally {
      this.#underWay.delete(commit);
    }
  }
}

function openBy(rules: EncryptionRules, stored: Stored): Opened {
  if (stored.unreadable) throw stored.unreadable;
  return rules.transformerOf(stored.key).open(stored);
}

function openOrMark(rules: EncryptionRules, stored: Stored): Stored {
  try {
    return openBy(rules, stored).stored;
  } catch (error) {
    if (!(error instanceof StorageUnreadable)) throw error;
    return unreadableStored(stored, error);
  }
}

function inspectBy(rules: EncryptionRules, stored: Stored): InspectedValue {
  try {
    return { kind: 'readable', ...openBy(rules, stored) };
  } catch (error) {
    if (!(error instanceof StorageUnreadable)) throw error;
    return { kind: 'unreadable', error };
  }
}

function sealBy(rules: EncryptionRules, { require, writes }: Change): Change {
  const sealed = writes.map((write): Write => {
    if (write.kind === 'delete') return write;
    return { ...write, value: rules.transformerOf(write.key).seal(write.key, write.value) };
  });
  return { require, writes: sealed };
}

function openEvent(rules: EncryptionRules, event: ChangeEvent): ChangeEvent {
  const { key, revision } = event;
  if (event.kind === 'delete') return { ...event, previous: openOrMark(rules, event.previous) };
  const previous = event.previous && openOrMark(rules, event.previous);
  const sealed = event.unreadable
    ? unreadableStored(event, event.unreadable)
    : { key, revision, value: event.value };
  const opened = openOrMark(rules, sealed);
  if (opened.unreadable) return unreadablePut({ key, revision, previous }, opened.unreadable);
  return { kind: 'put', key, revision, value: opened.value, previous };
}
