/** The operations and observations of clients, as the checker reads them. */

/**
 * A place in the recording. Everything that begins, ends or arrives has its own number, given out
 * by one process: of two moments one was earlier, and that is certain.
 */
export type Moment = number;

/** The state after a write. Every write has its own token, so that a value identifies its write. */
export type Token = string;

export interface Item {
  readonly key: string;
  readonly revision: number;
  readonly token: Token;
}

interface Timed {
  readonly client: string;
  readonly start: Moment;
  readonly end: Moment;
}

export type WriteOutcome =
  /** The answer was 2xx. A delete is answered without a revision. */
  | { readonly kind: 'ok'; readonly revision?: number }
  /** The answer was 4xx: it did not happen and never will. */
  | { readonly kind: 'refused'; readonly code: number }
  /** No answer, or 5xx: it happened or did not. */
  | { readonly kind: 'unknown' };

export type Put = Timed & {
  readonly key: string;
  readonly token: Token;
  readonly outcome: WriteOutcome;
} & (
    | { readonly kind: 'create' }
    /** Only on top of the revision that the client had seen. */
    | { readonly kind: 'update'; readonly expected: number }
  );

export type Delete = Timed & {
  readonly kind: 'delete';
  readonly key: string;
  readonly expected: number;
  readonly outcome: WriteOutcome;
};

export type Write = Put | Delete;

/** A get that was answered; `found` is absent when the answer was 404. */
export interface Get extends Timed {
  readonly key: string;
  readonly found: Item | undefined;
}

/** A list that was answered. */
export interface List extends Timed {
  readonly scope: Scope;
  readonly revision: number;
  readonly items: readonly Item[];
}

/** The part of all objects that a list or a watch asked for. */
export interface Scope {
  readonly name: string;
  /** Whether a change of its value alone can bring an object in or out. */
  readonly isByValue: boolean;
  selects(key: string, token: Token): boolean;
}

export type WatchEvent =
  | (Item & { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly at: Moment })
  | { readonly type: 'BOOKMARK'; readonly revision: number; readonly at: Moment };

/** One connection of a watcher. */
export interface WatchSession {
  /**
   * A watcher begins after the revision of a list. It goes on after the last revision it was told,
   * unless it was told that this one is too old: then it lists again, and what happened in between
   * is not for it.
   */
  readonly start: 'list' | 'resume';
  readonly after: number;
  readonly events: readonly WatchEvent[];
  readonly end: 'cut' | 'expired';
}

export interface WatchLog {
  readonly watcher: string;
  readonly scope: Scope;
  readonly sessions: readonly WatchSession[];
}

export interface History {
  readonly writes: readonly Write[];
  readonly gets: readonly Get[];
  readonly lists: readonly List[];
  /** Each of them was open, or came back, until it had seen all that the final list knows. */
  readonly watches: readonly WatchLog[];
  /** The whole state, read after the last restart, when all writers had stopped. */
  readonly final: List;
}
