/** Header lines as they came in: a repeated header is several lines, never one joined value. */
export class RequestHeaders {
  readonly #raw: readonly string[];

  /** Names and values in turn, as `rawHeaders` has them. */
  constructor(raw: readonly string[]) {
    this.#raw = raw;
  }

  /** The first line of that name; `name` is in lower case. */
  get(name: string): string | undefined {
    const raw = this.#raw;
    for (let at = 0; at + 1 < raw.length; at += 2) if (isNamed(raw[at], name)) return raw[at + 1];
    return undefined;
  }

  /** Every line of that name, in order. */
  all(name: string): string[] {
    const raw = this.#raw;
    const values: string[] = [];
    for (let at = 0; at + 1 < raw.length; at += 2) {
      if (isNamed(raw[at], name)) values.push(raw[at + 1] ?? '');
    }
    return values;
  }

  *lines(): Generator<[name: string, value: string]> {
    for (let at = 0; at + 1 < this.#raw.length; at += 2) {
      yield [(this.#raw[at] ?? '').toLowerCase(), this.#raw[at + 1] ?? ''];
    }
  }

  /** The same lines but those; the same object when there are none, which is the usual case. */
  without(isUnwanted: (name: string) => boolean): RequestHeaders {
    const raw = this.#raw;
    let kept: string[] | undefined;
    for (let at = 0; at + 1 < raw.length; at += 2) {
      const name = raw[at] ?? '';
      if (isUnwanted(name.toLowerCase())) kept ??= raw.slice(0, at);
      else kept?.push(name, raw[at + 1] ?? '');
    }
    return kept === undefined ? this : new RequestHeaders(kept);
  }

  /** One line of that name in place of all of them. */
  with(name: string, value: string): RequestHeaders {
    const others = [...this.lines()].filter(([candidate]) => candidate !== name);
    return new RequestHeaders([...others.flat(), name, value]);
  }
}

/** Most names differ in length already, so few are put in lower case. */
function isNamed(candidate: string | undefined, name: string): boolean {
  if (candidate === name) return true;
  return candidate?.length === name.length && candidate.toLowerCase() === name;
}
