import { randomFillSync } from 'node:crypto';
import { StorageUnreadable } from '../contract/errors.ts';
import type { Stored } from '../contract/storage.ts';
import type { EncryptionKey, EncryptionProvider } from './config.ts';
import {
  envelopeBytes,
  envelopeHead,
  isReserved,
  NONCE_BYTES,
  open,
  originOf,
  seal,
  startsWith,
} from './envelope.ts';
import type { KeyCounter, KeyUsages } from './key-usage.ts';

/** The form of a value: `identity`, or `aesgcm:` and the name of the key. */
export type ValueForm = 'identity' | `aesgcm:${string}`;

export interface Opened {
  readonly stored: Stored;
  readonly form: ValueForm;
}

interface SealingKey extends EncryptionKey {
  readonly head: Uint8Array;
  readonly counter: KeyCounter;
}

/** Encrypts and decrypts values for the resources of one rule. */
export class Transformer {
  /** In the order of the file: the first one writes most values and is tried first. */
  readonly #keys: readonly SealingKey[];
  /** Plain values are accepted. */
  readonly #readsPlain: boolean;
  /** The first provider's first key; none writes plain. */
  readonly #writer: SealingKey | undefined;

  constructor(providers: readonly EncryptionProvider[], usages: KeyUsages) {
    this.#keys = distinct(providers.flatMap(keysOf)).map((key) => ({
      ...key,
      head: envelopeHead(key.name),
      counter: usages.counterOf(key),
    }));
    this.#readsPlain = providers.some(({ kind }) => kind === 'identity');
    this.#writer = providers[0]?.kind === 'aesgcm' ? this.#keys[0] : undefined;
  }

  /** The bytes that a write adds to a value. */
  get overheadBytes(): number {
    return this.#writer === undefined ? 0 : envelopeBytes(this.#writer.head);
  }

  seal(storageKey: string, value: Uint8Array): Uint8Array {
    if (this.#writer === undefined) {
      if (!isReserved(value)) return value;
      throw new TypeError(`the value of ${storageKey} begins with k8s:enc:, as only encrypted may`);
    }
    const { secret, head, counter } = this.#writer;
    counter.add();
    const nonce = randomFillSync(new Uint8Array(NONCE_BYTES));
    return seal(value, { secret, head, nonce, storageKey });
  }

  /** Throws `StorageUnreadable` rather than return something that was not written. */
  open(stored: Stored): Opened {
    const { value } = stored;
    if (!isReserved(value)) return this.#openPlain(stored);
    const key = this.#keys.find(({ head }) => startsWith(value, head));
    if (key === undefined) throw withoutKey(stored);
    return this.#openSealed(stored, key);
  }

  #openPlain(stored: Stored): Opened {
    if (!this.#readsPlain) {
      const problem = 'it is not encrypted, and identity is not among the providers';
      throw unreadable(stored, undefined, problem);
    }
    return {
      stored: this.#writer === undefined ? stored : { ...stored, stale: true },
      form: 'identity',
    };
  }

  #openSealed(stored: Stored, key: SealingKey): Opened {
    const { name, secret, head } = key;
    const value = open(stored.value, { secret, head, storageKey: stored.key });
    if (value === undefined) {
      const problem = `it does not open with the key ${JSON.stringify(name)}: it is damaged, it was moved here from another place, or the key had another secret`;
      throw unreadable(stored, name, problem);
    }
    const opened = { ...stored, value };
    return {
      stored: key === this.#writer ? opened : { ...opened, stale: true },
      form: `aesgcm:${name}`,
    };
  }
}

/** A resource in several entries may have a key from each; the same one counts once. */
function distinct(keys: readonly EncryptionKey[]): EncryptionKey[] {
  const byName = new Map<string, EncryptionKey>();
  for (const key of keys) {
    const known = byName.get(key.name);
    if (known?.secret.equals(key.secret) === false) {
      throw new TypeError(`two encryption keys of one resource are called ${key.name}`);
    }
    byName.set(key.name, known ?? key);
  }
  return [...byName.values()];
}

function withoutKey(stored: Stored): StorageUnreadable {
  const origin = originOf(stored.value);
  if (origin.kind === 'key') {
    const name = JSON.stringify(origin.name);
    const problem = `it was encrypted with the key ${name}, which is not configured`;
    return unreadable(stored, origin.name, problem);
  }
  const provider = origin.kind === 'foreign' ? origin.provider : undefined;
  const problem =
    provider === undefined
      ? 'its beginning is damaged'
      : `it was encrypted by a provider that is not supported, ${provider}`;
  return unreadable(stored, undefined, problem);
}

function keysOf(provider: EncryptionProvider): readonly EncryptionKey[] {
  return provider.kind === 'aesgcm' ? provider.keys : [];
}

function unreadable(
  { key, revision }: Stored,
  keyName: string | undefined,
  problem: string,
): StorageUnreadable {
  return new StorageUnreadable({ key, revision, keyName, problem });
}
