/** The path of a field in a document: `spec.list[0].name`, `metadata.annotations[key]`. Immutable. */
export class FieldPath {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  /** `root('spec', 'list')` is `spec.list`. */
  static root(name: string, ...moreNames: readonly string[]): FieldPath {
    return new FieldPath([name, ...moreNames].join('.'));
  }

  child(name: string, ...moreNames: readonly string[]): FieldPath {
    return new FieldPath([this.#text, name, ...moreNames].join('.'));
  }

  index(index: number): FieldPath {
    return new FieldPath(`${this.#text}[${index}]`);
  }

  /** The key is not quoted or escaped between the brackets. */
  key(key: string): FieldPath {
    return new FieldPath(`${this.#text}[${key}]`);
  }

  toString(): string {
    return this.#text;
  }
}

/** The start of a path: `root('spec').child('list').index(0)`. */
export const root: (name: string, ...moreNames: readonly string[]) => FieldPath = FieldPath.root;
