import type { Revision } from '@tributary/storage';
import type { Chunks, Form } from './form.ts';

interface ListBodyLimits {
  /** The bound of all bodies together; the least recently used body is evicted. */
  readonly bytesMax: number;
  /** A larger body is not cached: it would evict many others. */
  readonly bodyBytesMax: number;
}

export const listBodyLimits: ListBodyLimits = {
  bytesMax: 64 * 1024 * 1024,
  bodyBytesMax: 16 * 1024 * 1024,
};

/** The content of a list without selectors: one page of objects as of the last change of their resource. */
export interface ListContent {
  readonly path: string;
  readonly limit: number | undefined;
  readonly after: string | undefined;
  readonly contentRevision: Revision;
}

/** A whole response body; the same object as long as its bytes are the same. */
type ListBody = Chunks;

interface Entry {
  readonly contentRevision: Revision;
  readonly items: Uint8Array;
  /** Keys of all cached bodies in the same form. */
  readonly keys: Set<string>;
  /**
   * The last response of these items and its head; the head contains a resourceVersion, which any change of the store
   * moves.
   */
  start: string;
  body: ListBody;
}

/** Memory of an entry beside its items. */
const ENTRY_BYTES = 1024;

const END = Buffer.from(']}\n');

/**
 * The items of lists, ready to be sent again. Clients that start together request the same list; as long as the
 * resource does not change, only the few bytes before the items differ. One body is cached per form and page, so that a
 * newer one replaces its predecessor.
 */
export class ListBodyCache {
  readonly #limits: ListBodyLimits;
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>();
  /** A number for each form, and the keys of its cached bodies. */
  readonly #forms = new WeakMap<Form, { readonly number: number; readonly keys: Set<string> }>();
  #formCount = 0;
  #bytes = 0;

  constructor(limits: Partial<ListBodyLimits> = {}) {
    this.#limits = { ...listBodyLimits, ...limits };
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(form: Form, content: ListContent, start: string): ListBody | undefined {
    const key = this.#key(form, content);
    const entry = this.#entries.get(key);
    if (entry?.contentRevision !== content.contentRevision) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (entry.start !== start) {
      entry.start = start;
      entry.body = bodyOf(start, entry.items);
    }
    return entry.body;
  }

  /** The body of these items, cached if it fits; undefined when it is too large. */
  add(
    form: Form,
    content: ListContent,
    made: { start: string; items: Chunks },
  ): ListBody | undefined {
    const length = made.items.reduce((sum, { length }) => sum + length, 0);
    if (length > Math.min(this.#limits.bodyBytesMax, this.#limits.bytesMax)) return undefined;
    const items = Buffer.concat(made.items, length);
    const body = bodyOf(made.start, items);
    const { contentRevision } = content;
    const { keys } = this.#known(form);
    const { start } = made;
    this.#put(this.#key(form, content), { contentRevision, items, keys, start, body });
    return body;
  }

  /** Drops the bodies of forms that are no longer served. */
  forget(forms: Iterable<Form>): void {
    for (const form of forms) {
      for (const key of this.#forms.get(form)?.keys ?? []) this.#remove(key);
    }
  }

  #put(key: string, entry: Entry): void {
    const before = this.#entries.get(key);
    // A slow reader of an older state must not replace a newer one.
    if (before !== undefined && before.contentRevision > entry.contentRevision) return;
    this.#remove(key);
    this.#entries.set(key, entry);
    entry.keys.add(key);
    this.#bytes += sizeOf(key, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#limits.bytesMax) return;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    entry.keys.delete(key);
    this.#bytes -= sizeOf(key, entry);
  }

  #key(form: Form, { path, limit, after = '' }: ListContent): string {
    return `${this.#known(form).number} ${limit ?? ''} ${path}\0${after}`;
  }

  #known(form: Form): { readonly number: number; readonly keys: Set<string> } {
    const known = this.#forms.get(form);
    if (known !== undefined) return known;
    this.#formCount += 1;
    const added = { number: this.#formCount, keys: new Set<string>() };
    this.#forms.set(form, added);
    return added;
  }
}

function sizeOf(key: string, { items }: Entry): number {
  return items.length + 2 * key.length + ENTRY_BYTES;
}

function bodyOf(start: string, items: Uint8Array): ListBody {
  return [Buffer.from(`${start}[`), items, END];
}
