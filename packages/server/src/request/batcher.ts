export interface Batcher<T> {
  add(member: T): void;
  /** Gives on at once what waits. */
  flush(): void;
}

export interface BatcherOptions {
  /** When more wait, they are given on at once. */
  readonly sizeMax?: number;
  /** Calls back when it is time. Default: when the turn of the event loop is over. */
  readonly schedule?: (run: () => void) => void;
}

/** Gathers what comes in a moment, and gives it on together when the moment is over. */
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
