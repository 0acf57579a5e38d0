import type { Readable } from '../watch-cache/types.ts';

export type Chunks = readonly Uint8Array[];

/** What the metadata of a list says, apart from its items. */
export interface ListHead {
  readonly resourceVersion: string;
  /** For the next page. */
  readonly continue?: string | undefined;
  readonly remaining?: number | undefined;
}

/** What a bookmark says. */
export interface BookmarkHead {
  readonly resourceVersion: string;
  /** The one that ends the initial objects. */
  readonly initialEventsEnd: boolean;
}

/**
 * What one resource's objects look like to a client that asks for them in one way: as they are, as Tables, as metadata
 * alone. All of it is compact JSON, put together from bytes that are made once per object and shared by all readers.
 */
export interface Form {
  /** Whether an object always looks the same; otherwise it tells how long ago something was. */
  readonly isTimeless: boolean;
  /** Whether the first event of a watch tells more than the others. */
  readonly isAnnounced: boolean;
  /** The answer that is one object; 406 when the form is one of lists. */
  object(object: Readable, nowMs: number): Chunks;
  /** A list up to the value of the field that holds its items; 406 when the form is one of objects. */
  listStart(head: ListHead): string;
  /** The order of the items of a list, where it is not that of the list. */
  readonly order?: (items: readonly Readable[]) => readonly Readable[];
  /** One item of a list. */
  item(object: Readable, nowMs: number): Chunks;
  /** The value of that field when there are no items. */
  readonly noItems: '[]' | 'null';
  /** The object of an event. */
  watched(object: Readable, nowMs: number, isFirst: boolean): Chunks;
  bookmark(head: BookmarkHead, isFirst: boolean): Chunks;
}
