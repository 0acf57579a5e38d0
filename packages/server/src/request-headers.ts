/** Header lines as they came in: a repeated header is several lines, never one joined value. */
export class RequestHeaders {
  readonly #raw: readonly string[];

  /** Names and values in turn, as `rawHeaders` has them. */
  constructor(raw: readonly string[]) {
    this.#raw = raw;
  }

  /** The first line of that name; `name` is in lower case. */
  get(name: string): string | undefined {
    for (const [candidate, value] of this.lines()) if (candidate === name) return value;
    return undefined;
  }

  /** Every line of that name, in order. */
  all(name: string): string[] {
    const values: string[] = [];
    for (const [candidate, value] of this.lines()) if (candidate === name) values.push(value);
    return values;
  }

  *lines(): Generator<[name: string, value: string]> {
    for (let at = 0; at + 1 < this.#raw.length; at += 2) {
      yield [(this.#raw[at] ?? '').toLowerCase(), this.#raw[at + 1] ?? ''];
    }
  }
}
