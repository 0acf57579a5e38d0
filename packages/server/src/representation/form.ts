import type { Readable } from '../watch-cache/types.ts';

export type Chunks = readonly Uint8Array[];

/** The metadata of a list. */
export interface ListHead {
  readonly resourceVersion: string;
  /** The continue token of the next page. */
  readonly continue?: string | undefined;
  readonly remaining?: number | undefined;
}

/** The metadata of a bookmark's object. */
export interface BookmarkHead {
  readonly resourceVersion: string;
  /** True for the bookmark that ends the initial events. */
  readonly initialEventsEnd: boolean;
}

/**
 * One representation of a resource's objects: plain, Table or PartialObjectMetadata. All output is compact JSON,
 * assembled from bytes that are made once per object and shared by all readers.
 */
export interface Form {
  /** False when the representation contains durations, such as Age, that change with time. */
  readonly isTimeless: boolean;
  /** Whether the first event of a watch differs from the others: it carries the column definitions of a Table. */
  readonly isAnnounced: boolean;
  /** The response of a single object; 406 when this representation exists only for lists. */
  object(object: Readable, nowMs: number): Chunks;
  /**
   * A list up to the value of the field that holds its items; 406 when this representation exists only for single
   * objects.
   */
  listStart(head: ListHead): string;
  /** The order of items in the response, where it differs from the order of the list. */
  readonly order?: (items: readonly Readable[]) => readonly Readable[];
  /** One item of a list. */
  item(object: Readable, nowMs: number): Chunks;
  /** The value of the items field of an empty list. */
  readonly noItems: '[]' | 'null';
  /** The object of a watch event. */
  watched(object: Readable, nowMs: number, isFirst: boolean): Chunks;
  bookmark(head: BookmarkHead, isFirst: boolean): Chunks;
}
