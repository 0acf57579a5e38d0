/**
 * Each call of a source must end, with a rejection, when its signal fires: at its timeout, or when the server closes.
 */
export interface SourceOptions {
  readonly signal: AbortSignal;
}

/** Losing a race is an expected result, not an error: the item has changed, or already exists. */
export type SourceWrite<Item> =
  | { readonly outcome: 'written'; readonly item: Item }
  | { readonly outcome: 'conflict' };

export type SourceDelete = { readonly outcome: 'deleted' } | { readonly outcome: 'conflict' };

/**
 * The calls of both kinds of sources. Arguments and results are not changed. A rejection means that the source cannot
 * be reached, and that the outcome of a write is unknown.
 */
interface SourceCalls<Item> {
  /** The source's identifier of an item for its lifetime: a path, the key of a row. Must not depend on the version. */
  readonly idOf: (item: Item) => string;
  /** The current item, whatever the source reported before. */
  get(id: string, options: SourceOptions): Promise<Item | undefined>;
  /** Returns the item with the fields that the source added. A conflict when the source has one with this id. */
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

/** A deleted item is its last state, or has at least the fields that `idOf` reads. */
export type SourceChange<Item> = {
  readonly kind: 'put' | 'delete';
  readonly item: Item;
  readonly revision: number;
};

export interface SourceBatch<Item> {
  /** In order of their revisions. May be empty. */
  readonly changes: readonly SourceChange<Item>[];
  /** Every change up to this revision was reported. */
  readonly progress: number;
}

/**
 * A source with one growing number for all its changes, such as an API server: the revisions of the
 * projection are those of the source. They hold over restarts, and for any number of replicas.
 */
export interface RevisionedSource<Item> extends SourceCalls<Item> {
  readonly kind: 'revisioned';
  /** The revision of the change that made this version of an item. */
  readonly revisionOf: (item: Item) => number;
  list(options: SourceOptions): Promise<SourceState<Item>>;
  /**
   * Every change after a revision, in order, those of one revision in one batch. A batch, possibly empty, is sent as
   * soon as it is connected. It may end or fail at any time: the next call is after the last reported progress. It
   * throws `SourceHistoryGone` when it no longer has that history.
   */
  changes(after: number, options: SourceOptions): AsyncIterable<SourceBatch<Item>>;
}

/**
 * A source without change events, such as a table or an external HTTP API: it is polled, and differences are changes.
 * Several changes between two polls are one.
 */
export interface PolledSource<Item> extends SourceCalls<Item> {
  readonly kind: 'polled';
  /** Different after every change of the item. */
  readonly versionOf: (item: Item) => string;
  /** The interval of polls: external changes are seen within it. */
  readonly everyMs: number;
  list(options: SourceOptions): Promise<readonly Item[]>;
}

/** Something with items that have an identity and a version, and that refuses a write of an outdated one. */
export type ProjectionSource<Item> = RevisionedSource<Item> | PolledSource<Item>;

/** Changes after the requested revision are no longer known. The projection starts again from a list. */
export class SourceHistoryGone extends Error {
  override readonly name = 'SourceHistoryGone';
}
