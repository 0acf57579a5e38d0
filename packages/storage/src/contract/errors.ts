import type { Revision } from './revision.ts';

/** The asked history is gone; `oldest` is the first revision that can still be read. */
export class Compacted extends Error {
  override readonly name = 'Compacted';
  readonly asked: Revision;
  readonly oldest: Revision;

  constructor(asked: Revision, oldest: Revision) {
    super(`revision ${asked} is compacted, the oldest kept is ${oldest}`);
    this.asked = asked;
    this.oldest = oldest;
  }
}

/** The asked revision has not happened. */
export class FutureRevision extends Error {
  override readonly name = 'FutureRevision';
  readonly asked: Revision;
  readonly current: Revision;

  constructor(asked: Revision, current: Revision) {
    super(`revision ${asked} is in the future, the current one is ${current}`);
    this.asked = asked;
    this.current = current;
  }
}

export class StorageClosed extends Error {
  override readonly name = 'StorageClosed';

  constructor() {
    super('the store is closed');
  }
}

/** The store cannot be reached or cannot write. Whether a commit under way happened is unknown. */
export class StorageUnavailable extends Error {
  /** Engines have causes of their own, as subclasses with their own names. */
  override readonly name: string = 'StorageUnavailable';
}

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
