interface Batcher<T> {
  add(member: T): void;
  /** Handles pending members now. */
  flush(): void;
}

interface BatcherOptions {
  /** A batch of this size is handled at once. */
  readonly sizeMax?: number;
  /** Schedules the end of a batch. Default: the end of the turn of the event loop. */
  readonly schedule?: (run: () => void) => void;
}

/** Collects members for one turn of the event loop and handles them as one batch. */
export function batcher<T>(
  handle: (members: readonly T[]) => void,
  { sizeMax = Number.POSITIVE_INFINITY, schedule = setImmediate }: BatcherOptions = {},
): Batcher<T> {
  let pending: T[] = [];
  const flush = () => {
    if (pending.length === 0) return;
    const members = pending;
    pending = [];
    handle(members);
  };
  return {
    add(member) {
      const count = pending.push(member);
      if (count === 1) schedule(flush);
      else if (count >= sizeMax) flush();
    },
    flush,
  };
}
