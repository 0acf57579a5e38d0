export interface Gathering<T> {
  add(member: T): void;
  /** Gives on at once what waits. */
  flush(): void;
}

export interface GatheringOptions {
  /** When more wait, they are given on at once. */
  readonly most?: number;
  /** Calls back when it is time. Default: when the turn of the event loop is over. */
  readonly later?: (run: () => void) => void;
}

/** Gathers what comes in a moment, and gives it on together when the moment is over. */
export function gatherMoment<T>(
  give: (members: readonly T[]) => void,
  { most = Number.POSITIVE_INFINITY, later = setImmediate }: GatheringOptions = {},
): Gathering<T> {
  let waiting: T[] = [];
  const flush = () => {
    if (waiting.length === 0) return;
    const members = waiting;
    waiting = [];
    give(members);
  };
  return {
    add(member) {
      const count = waiting.push(member);
      if (count === 1) later(flush);
      else if (count >= most) flush();
    },
    flush,
  };
}
