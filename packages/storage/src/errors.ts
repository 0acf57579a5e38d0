import type { Revision } from './contract.ts';

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
