/** Request headers as received: a repeated header has several entries, never one joined value. */
export class RequestHeaders {
  readonly #raw: readonly string[];
  /** Names in lower case, made once for callers that read every name. */
  #lowerNames: readonly string[] | undefined;

  /** Names and values in turn, as in `rawHeaders`. */
  constructor(raw: readonly string[]) {
    this.#raw = raw;
  }

  /** The first value of a header; `name` is in lower case. */
  get(name: string): string | undefined {
    const raw = this.#raw;
    for (let at = 0; at + 1 < raw.length; at += 2) if (isNamed(raw[at], name)) return raw[at + 1];
    return undefined;
  }

  /** All values of a header joined by commas, which is equivalent for headers that are lists. */
  joined(name: string): string {
    const raw = this.#raw;
    let text: string | undefined;
    for (let at = 0; at + 1 < raw.length; at += 2) {
      if (isNamed(raw[at], name))
        text = text === undefined ? raw[at + 1] : `${text},${raw[at + 1]}`;
    }
    return text ?? '';
  }

  /** All values of a header, in order. */
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

  /** The headers without some; returns the same object when there are none to remove, which is the usual case. */
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

  /** The headers with one value in place of all values of that name. */
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

/** Most names differ in length, so few are converted to lower case. */
function isNamed(candidate: string | undefined, name: string): boolean {
  if (candidate === name) return true;
  return candidate?.length === name.length && candidate.toLowerCase() === name;
}
