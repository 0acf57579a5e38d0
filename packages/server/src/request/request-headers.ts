/** Header lines as they came in: a repeated header is several lines, never one joined value. */
export class RequestHeaders {
  readonly #raw: readonly string[];
  /** Names alone, in lower case; made once for all who look at every name. */
  #lowerNames: readonly string[] | undefined;

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

  /** All lines of that name as one, which means the same for headers that are lists. */
  joined(name: string): string {
    const raw = this.#raw;
    let text: string | undefined;
    for (let at = 0; at + 1 < raw.length; at += 2) {
      if (isNamed(raw[at], name))
        text = text === undefined ? raw[at + 1] : `${text},${raw[at + 1]}`;
    }
    return text ?? '';
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

  *entries(): Generator<[name: string, value: string]> {
    for (const [index, name] of this.#names().entries())
      yield [name, this.#raw[2 * index + 1] ?? ''];
  }

  /** The same lines but those; the same object when there are none, which is the usual case. */
  without(isUnwanted: (name: string) => boolean): RequestHeaders {
    const names = this.#names();
    let remaining: string[] | undefined;
    for (let index = 0; index < names.length; index += 1) {
      const at = 2 * index;
      if (isUnwanted(names[index] ?? '')) remaining ??= this.#raw.slice(0, at);
      else remaining?.push(this.#raw[at] ?? '', this.#raw[at + 1] ?? '');
    }
    return remaining === undefined ? this : new RequestHeaders(remaining);
  }

  /** One line of that name in place of all of them. */
  with(name: string, value: string): RequestHeaders {
    const others = [...this.entries()].filter(([candidate]) => candidate !== name);
    return new RequestHeaders([...others.flat(), name, value]);
  }

  #names(): readonly string[] {
    if (this.#lowerNames === undefined) {
      const names: string[] = [];
      for (let at = 0; at + 1 < this.#raw.length; at += 2) {
        names.push((this.#raw[at] ?? '').toLowerCase());
      }
      this.#lowerNames = names;
    }
    return this.#lowerNames;
  }
}

/** Most names differ in length already, so few are put in lower case. */
function isNamed(candidate: string | undefined, name: string): boolean {
  if (candidate === name) return true;
  return candidate?.length === name.length && candidate.toLowerCase() === name;
}
