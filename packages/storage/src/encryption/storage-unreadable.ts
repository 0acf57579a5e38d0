import type { Revision } from '../contract.ts';

export interface UnreadableValue {
  readonly key: string;
  /** The commit that wrote the value. */
  readonly revision: Revision;
  /** The encryption key that the value names, when it names one. */
  readonly keyName: string | undefined;
  /** Why, in words; no bytes of the value. */
  readonly problem: string;
}

/**
 * A value is there and cannot be told: it is damaged, was moved from another key, or the key that it
 * was written with is not among ours. Nothing was answered and nothing was written. Trying again
 * helps only when the configuration or the value has changed.
 */
export class StorageUnreadable extends Error {
  override readonly name = 'StorageUnreadable';
  readonly key: string;
  readonly revision: Revision;
  readonly keyName: string | undefined;

  constructor({ key, revision, keyName, problem }: UnreadableValue) {
    super(`the value of ${JSON.stringify(key)} cannot be read: ${problem}`);
    this.key = key;
    this.revision = revision;
    this.keyName = keyName;
  }
}
