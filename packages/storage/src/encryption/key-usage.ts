import type { EncryptionKey } from './config.ts';

/** The number of values that a key has encrypted since this process started. */
export interface KeyUsage {
  readonly keyName: string;
  readonly writes: number;
}

/**
 * NIST SP 800-38D, 8.3: a key with random 96-bit nonces encrypts no more than 2^32 values, or the
 * chance that two share a nonce is no longer negligible.
 */
export const KEY_WRITES_MAX = 2 ** 32;

/** A quarter: other replicas and earlier runs of this one have written with the key too. */
const WARNING_WRITES = KEY_WRITES_MAX / 4;

export interface KeyUsageOptions {
  /** Called at the first warning and whenever the count has doubled since the last. */
  readonly onKeyWorn?: ((usage: KeyUsage) => void) | undefined;
  /** The number of writes before the first warning; by default a quarter of `KEY_WRITES_MAX`. */
  readonly keyWornWrites?: number | undefined;
}

/** Counts by secret: the same secret under another name, or after a reload, continues its count. */
export class KeyUsages {
  readonly #counters: KeyCounter[] = [];
  readonly #options: KeyUsageOptions;

  constructor(options: KeyUsageOptions) {
    this.#options = options;
  }

  counterOf(key: EncryptionKey): KeyCounter {
    const known = this.#counters.find(({ key: { secret } }) => secret.equals(key.secret));
    if (known !== undefined) return known;
    const counter = new KeyCounter(key, this.#options);
    this.#counters.push(counter);
    return counter;
  }

  read(): readonly KeyUsage[] {
    return this.#counters.map(({ key, writes }) => ({ keyName: key.name, writes }));
  }
}

export class KeyCounter {
  readonly key: EncryptionKey;
  writes = 0;
  readonly #onKeyWorn: ((usage: KeyUsage) => void) | undefined;
  #warnAt: number;

  constructor(key: EncryptionKey, { onKeyWorn, keyWornWrites = WARNING_WRITES }: KeyUsageOptions) {
    this.key = key;
    this.#onKeyWorn = onKeyWorn;
    this.#warnAt = keyWornWrites;
  }

  add(): void {
    this.writes += 1;
    if (this.writes < this.#warnAt) return;
    this.#warnAt *= 2;
    this.#onKeyWorn?.({ keyName: this.key.name, writes: this.writes });
  }
}
