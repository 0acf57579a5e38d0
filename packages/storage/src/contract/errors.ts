import type { Revision } from './revision.ts';

/** The requested revision is compacted; `oldest` is the first revision that can still be read. */
export class Compacted extends Error {
  override readonly name = 'Compacted';
  readonly requested: Revision;
  readonly oldest: Revision;

  constructor(requested: Revision, oldest: Revision) {
    super(`revision ${requested} is compacted, the oldest retained one is ${oldest}`);
    this.requested = requested;
    this.oldest = oldest;
  }
}

/** The requested revision is above the current one. */
export class FutureRevision extends Error {
  override readonly name = 'FutureRevision';
  readonly requested: Revision;
  readonly current: Revision;

  constructor(requested: Revision, current: Revision) {
    super(`revision ${requested} is in the future, the current one is ${current}`);
    this.requested = requested;
    this.current = current;
  }
}

export class StorageClosed extends Error {
  override readonly name = 'StorageClosed';

  constructor() {
    super('the store is closed');
  }
}

/** The store cannot be reached or written. The outcome of a commit under way is unknown. */
export class StorageUnavailable extends Error {
  /** Engines define subclasses with their own names for specific causes. */
  override readonly name: string = 'StorageUnavailable';
}

export interface UnreadableValue {
  readonly key: string;
  /** The commit that wrote the value. */
  readonly revision: Revision;
  /** The name of the encryption key in the value, if it has one. */
  readonly keyName: string | undefined;
  /** The reason in words; never contains bytes of the value. */
  readonly problem: string;
}

/**
 * A value exists and cannot be decoded: it is damaged, was moved from another key, or its encryption key is not
 * configured. Nothing was returned or written. A retry helps only after the configuration or the value has changed.
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
