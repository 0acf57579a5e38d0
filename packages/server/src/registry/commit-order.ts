/** Commits writes that are prepared concurrently in the order in which they were started. */
export class CommitOrder {
  #last: Promise<void> = Promise.resolve();

  /** The place of the next write, which must leave it whatever its outcome. */
  enter(): CommitPlace {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    return { isNext: before, leave: resolve };
  }
}

export interface CommitPlace {
  /** Resolves when every write before this one has been given to the store, or needs no commit. */
  readonly isNext: Promise<void>;
  leave(): void;
}
