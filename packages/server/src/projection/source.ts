/** Each call of a source ends, with a rejection, when its signal fires: the time for it is up, or the server closes. */
export interface SourceOptions {
  readonly signal: AbortSignal;
}

/** Losing a race is an expected answer, not an error: the item is not as it was, or there is one already. */
export type SourceWrite<Item> =
  | { readonly outcome: 'written'; readonly item: Item }
  | { readonly outcome: 'conflict' };

export type SourceDelete = { readonly outcome: 'deleted' } | { readonly outcome: 'conflict' };

/**
 * What both kinds of sources do. Items given and taken are not changed. Whatever rejects means that
 * the source cannot be reached, and that the outcome of a write is unknown.
 */
interface SourceCalls<Item> {
  /** What the source calls an item, for as long as it has it: a path, the key of a row. Needs no version. */
  readonly idOf: (item: Item) => string;
  /** As it is now, however old what the source told before. */
  get(id: string, options: SourceOptions): Promise<Item | undefined>;
  /** Answers the item with what the source gave it. A conflict when the source has one with this id. */
  create(item: Item, options: SourceOptions): Promise<SourceWrite<Item>>;
  /** Only if the source still has `previous`, in that version; otherwise, or without it, a conflict. */
  update(item: Item, previous: Item, options: SourceOptions): Promise<SourceWrite<Item>>;
  /** The same for a delete. */
  delete(previous: Item, options: SourceOptions): Promise<SourceDelete>;
}

export interface SourceState<Item> {
  /** Everything up to this revision is in it, nothing later. */
  readonly revision: number;
  readonly items: readonly Item[];
}

/** A deleted item is the one that was there, or has at least what `idOf` looks at. */
export type SourceChange<Item> = {
  readonly kind: 'put' | 'delete';
  readonly item: Item;
  readonly revision: number;
};

export interface SourceBatch<Item> {
  /** In order of their revisions. May be empty. */
  readonly changes: readonly SourceChange<Item>[];
  /** Every change up to here has been told. */
  readonly progress: number;
}

/**
 * A source with one growing number for all its changes, such as an API server: the revisions of the
 * projection are those of the source. They hold over restarts, and for any number of replicas.
 */
export interface RevisionedSource<Item> extends SourceCalls<Item> {
  readonly kind: 'revisioned';
  /** The change that made this version of an item. */
  readonly revisionOf: (item: Item) => number;
  list(options: SourceOptions): Promise<SourceState<Item>>;
  /**
   * Every change after a revision, in order, those of one revision in one batch. A batch, if only an
   * empty one, comes as soon as it is connected. It may end at any time, or fail: it is asked for
   * again, after what it last told. It throws `SourceHistoryGone` when it does not know that any more.
   */
  changes(after: number, options: SourceOptions): AsyncIterable<SourceBatch<Item>>;
}

/**
 * A source that can only be looked at, such as a table or somebody's HTTP API: it is listed again and
 * again, and what differs has changed. What changes twice between two looks has changed once.
 */
export interface PolledSource<Item> extends SourceCalls<Item> {
  readonly kind: 'polled';
  /** Another one after every change of the item. */
  readonly versionOf: (item: Item) => string;
  /** The pause between two looks: so late may a change be seen that was not made here. */
  readonly everyMs: number;
  list(options: SourceOptions): Promise<readonly Item[]>;
}

/** Something with items that have an identity and a version, and that refuses a write of an outdated one. */
export type ProjectionSource<Item> = RevisionedSource<Item> | PolledSource<Item>;

/** Changes after the asked revision are not known any more. The projection starts over from a list. */
export class SourceHistoryGone extends Error {
  override readonly name = 'SourceHistoryGone';
}
