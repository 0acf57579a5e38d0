import { dirname, resolve } from 'node:path';
import { KubeconfigError } from './kubeconfig-error.ts';

/**
 * A mapping inside a kubeconfig with its path, so that every error names file and field. An empty or null field is
 * absent, as in Go.
 */
export class KubeconfigFields {
  readonly file: string;
  readonly path: string;
  readonly #values: ReadonlyMap<string, unknown>;

  constructor(file: string, path: string, value: unknown) {
    this.file = file;
    this.path = path;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new KubeconfigError({ file, field: path }, `must be a mapping, not ${kindOf(value)}`);
    }
    this.#values = new Map(Object.entries(value));
  }

  has(name: string): boolean {
    const value = this.#values.get(name);
    return value !== undefined && value !== null && value !== '';
  }

  string(name: string): string | undefined {
    if (!this.has(name)) return undefined;
    const value = this.#values.get(name);
    if (typeof value !== 'string') this.#mustBe(name, 'a string');
    return value;
  }

  boolean(name: string): boolean {
    if (!this.has(name)) return false;
    const value = this.#values.get(name);
    if (typeof value !== 'boolean') this.#mustBe(name, 'true or false');
    return value;
  }

  strings(name: string): string[] {
    return this.array(name).map((value, index) => {
      if (typeof value !== 'string') this.#mustBe(`${name}[${index}]`, 'a string', value);
      return value;
    });
  }

  array(name: string): readonly unknown[] {
    if (!this.has(name)) return [];
    const value = this.#values.get(name);
    if (!Array.isArray(value)) this.#mustBe(name, 'a list');
    return value;
  }

  fields(name: string): KubeconfigFields | undefined {
    if (!this.has(name)) return undefined;
    return new KubeconfigFields(this.file, this.#field(name), this.#values.get(name));
  }

  names(): string[] {
    return [...this.#values.keys()];
  }

  /** PEM in base64, as the `…-data` fields have it. */
  pem(name: string): string | undefined {
    const text = this.string(name)?.replace(/\s/g, '');
    if (text === undefined) return undefined;
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw this.error(name, 'is not valid base64');
    const pem = Buffer.from(text, 'base64').toString('utf8');
    if (!pem.includes('-----BEGIN ')) throw this.error(name, 'holds no PEM');
    return pem;
  }

  /** A path, relative to the kubeconfig. */
  filePath(name: string): string | undefined {
    const path = this.string(name);
    return path === undefined ? undefined : resolve(dirname(this.file), path);
  }

  error(name: string, problem: string): KubeconfigError {
    return new KubeconfigError({ file: this.file, field: this.#field(name) }, problem);
  }

  #mustBe(name: string, what: string, value: unknown = this.#values.get(name)): never {
    throw this.error(name, `must be ${what}, not ${kindOf(value)}`);
  }

  #field(name: string): string {
    if (name === '') return this.path;
    return this.path === '' ? name : `${this.path}.${name}`;
  }
}

/** The type of a value and never its content, which may be a secret. */
function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a mapping' : `a ${typeof value}`;
}
