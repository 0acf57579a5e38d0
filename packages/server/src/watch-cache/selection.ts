import type { CachedObject, ReadWindow } from './types.ts';

/** Which objects of a resource a reader asks for. */
export class Selection {
  readonly #window: ReadWindow;
  /** The whole key of one object, or the prefix of many. */
  readonly keyPrefix: string;
  /** One object, named. */
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

  /** Only some of the window's objects belong to it. */
  get isSelective(): boolean {
    return this.#window.where !== undefined || this.#window.matches !== undefined;
  }

  covers(key: string): boolean {
    return this.isExact ? key === this.keyPrefix : key.startsWith(this.keyPrefix);
  }

  /** Of an object that is covered. */
  selects(object: CachedObject): boolean {
    const { where, matches } = this.#window;
    // A field that the object lacks compares as the empty string.
    if (where !== undefined && (object.fields[where.field] ?? '') !== where.value) return false;
    return matches === undefined || matches(object);
  }
}
