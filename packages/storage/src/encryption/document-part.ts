import { type FieldError, type FieldPath, fieldError, root } from '@tributary/apimachinery';

/**
 * A value of a parsed file with its path. Reading it as another type records an error and returns nothing, so that one
 * pass finds all errors. Errors contain the type of a wrong value and never the value: it may be a secret in the wrong
 * field.
 */
export class DocumentPart {
  readonly #value: unknown;
  /** Undefined for the document itself. */
  readonly #path: FieldPath | undefined;
  readonly #errors: FieldError[];

  constructor(value: unknown, path: FieldPath | undefined, errors: FieldError[]) {
    this.#value = value;
    this.#path = path;
    this.#errors = errors;
  }

  get path(): FieldPath {
    return this.#path ?? root('document');
  }

  /** Null counts as absent, as in every Kubernetes file. */
  get isAbsent(): boolean {
    return this.#value === undefined || this.#value === null;
  }

  object(error: FieldError): void {
    this.#errors.push(error);
  }

  /** The named fields of an object, including absent ones; unknown fields are errors. */
  fields<Name extends string>(names: readonly Name[]): Record<Name, DocumentPart> | undefined {
    const own = this.#asObject();
    if (own === undefined) return undefined;
    for (const name of Object.keys(own)) {
      if (!(names as readonly string[]).includes(name)) {
        this.object(fieldError.forbidden(this.#child(name), 'unknown field'));
      }
    }
    const parts = names.map((name): [Name, DocumentPart] => [
      name,
      new DocumentPart(own[name], this.#child(name), this.#errors),
    ]);
    return Object.fromEntries(parts) as Record<Name, DocumentPart>;
  }

  /** At least one item is required; the noun names the items in the error. */
  items(noun: string): DocumentPart[] {
    const value = this.#value ?? [];
    if (!Array.isArray(value)) {
      this.#mustBe('a list');
      return [];
    }
    if (value.length === 0) {
      this.object(fieldError.required(this.path, `at least one ${noun} is required`));
    }
    return value.map((item, at) => new DocumentPart(item, this.path.index(at), this.#errors));
  }

  /** A non-empty string. */
  text(): string | undefined {
    if (this.isAbsent || this.#value === '') {
      this.object(fieldError.required(this.path));
      return undefined;
    }
    if (typeof this.#value === 'string') return this.#value;
    this.#mustBe('a string');
    return undefined;
  }

  #asObject(): Readonly<Record<string, unknown>> | undefined {
    if (typeof this.#value === 'object' && this.#value !== null && !Array.isArray(this.#value)) {
      return this.#value as Readonly<Record<string, unknown>>;
    }
    this.#mustBe('an object');
    return undefined;
  }

  #mustBe(what: string): void {
    this.object(fieldError.typeInvalid(this.path, typeName(this.#value), `must be ${what}`));
  }

  #child(name: string): FieldPath {
    return this.#path === undefined ? root(name) : this.#path.child(name);
  }
}

function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
