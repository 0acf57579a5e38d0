import type { CachedObject, ReadWindow } from './types.ts';

/** The objects of a resource that a reader requests. */
export class Selection {
  readonly #window: ReadWindow;
  /** The whole key of one object, or the prefix of many. */
  readonly keyPrefix: string;
  /** The selection is one object by name. */
  readonly isExact: boolean;

  constructor(prefix: string, window: ReadWindow) {
    this.#window = window;
    this.keyPrefix = prefix + window.path;
    this.isExact = window.path !== '' && !window.path.endsWith('/');
  }

  get path(): string {
    return this.#window.path;
  }

  get where(): ReadWindow['where'] {
    return this.#window.where;
  }

  /** Only some of the window's objects belong to the selection. */
  get isSelective(): boolean {
    return this.#window.where !== undefined || this.#window.matches !== undefined;
  }

  covers(key: string): boolean {
    return this.isExact ? key === this.keyPrefix : key.startsWith(this.keyPrefix);
  }

  /** Checks an object that is covered. */
  selects(object: CachedObject): boolean {
    const { where, matches } = this.#window;
    // A field that the object lacks compares as the empty string.
    if (where !== undefined && (object.fields[where.field] ?? '') !== where.value) return false;
    return matches === undefined || matches(object);
  }
}
