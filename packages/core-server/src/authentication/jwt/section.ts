import { type FieldPath, root } from '@tributary/apimachinery';
import { isRecord } from '../unverified-token.ts';

/** An object in a configuration file, read field by field. Throws for a value of the wrong type. */
export class Section {
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #path: FieldPath | undefined;

  constructor(value: unknown, path: FieldPath | undefined) {
    if (!isRecord(value)) throw new Error(`${path ?? 'the file'}: must be an object`);
    this.#fields = value;
    this.#path = path;
  }

  has(field: string): boolean {
    return this.#fields[field] !== undefined && this.#fields[field] !== null;
  }

  /** Empty when absent. */
  text(field: string): string {
    return this.#read(field, 'a string', (value) => typeof value === 'string') ?? '';
  }

  flag(field: string): boolean {
    return this.#read(field, 'true or false', (value) => typeof value === 'boolean') ?? false;
  }

  texts(field: string): readonly string[] {
    const isTexts = (value: unknown): value is string[] =>
      Array.isArray(value) && value.every((one) => typeof one === 'string');
    return this.#read(field, 'a list of strings', isTexts) ?? [];
  }

  /** The path of one of its fields in the file. */
  path(field: string): FieldPath {
    return this.#path === undefined ? root(field) : this.#path.child(field);
  }

  section(field: string): Section | undefined {
    return this.has(field) ? new Section(this.#fields[field], this.path(field)) : undefined;
  }

  sections(field: string): readonly Section[] {
    const isList = (value: unknown): value is unknown[] => Array.isArray(value);
    const list = this.#read(field, 'a list', isList) ?? [];
    return list.map((value, index) => new Section(value, this.path(field).index(index)));
  }

  /** Throws for unknown fields: ignoring a misspelled one could weaken authentication. */
  finish(known: readonly string[]): void {
    for (const field of Object.keys(this.#fields)) {
      if (!known.includes(field)) {
        throw new Error(`strict decoding error: unknown field "${this.path(field)}"`);
      }
    }
  }

  #read<T>(field: string, what: string, isRight: (value: unknown) => value is T): T | undefined {
    if (!this.has(field)) return undefined;
    const value = this.#fields[field];
    if (isRight(value)) return value;
    throw new Error(`${this.path(field)}: must be ${what}`);
  }
}
