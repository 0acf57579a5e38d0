/**
 * Correlates the values of an object before and after an update, as `CorrelatedObject` upstream, for ratcheting: errors
 * of unchanged values do not reject an update.
 */
import { isDeepStrictEqual } from 'node:util';
import { mapKeyOf } from './map-key.ts';
import { isRecord, type SchemaNode } from './schema-node.ts';

export class Correlation {
  readonly #value: unknown;
  readonly #old: unknown;
  readonly #node: SchemaNode;
  #children: Map<string | number, Correlation | undefined> | undefined;
  #oldByKey: Map<string, unknown> | undefined;
  #isUnchanged: boolean | undefined;

  constructor(value: unknown, old: unknown, node: SchemaNode) {
    this.#value = value;
    this.#old = old;
    this.#node = node;
  }

  /** Undefined when one of both does not have the key, or the schema does not specify it. */
  key(name: string): Correlation | undefined {
    return this.#child(name, () => {
      const [value, old] = [this.#value, this.#old];
      if (!isRecord(value) || !isRecord(old)) return undefined;
      if (!Object.hasOwn(value, name) || !Object.hasOwn(old, name)) return undefined;
      const node =
        this.#node.properties.get(name) ?? (this.#node.additionalProperties || undefined);
      return node && new Correlation(value[name], old[name], node);
    });
  }

  /** Elements are correlated by the keys of a list of type map, and not otherwise. */
  index(at: number): Correlation | undefined {
    return this.#child(at, () => {
      const { items } = this.#node;
      if (items === undefined || !Array.isArray(this.#value)) return undefined;
      const old = this.#oldElement(this.#value[at]);
      return old === undefined ? undefined : new Correlation(this.#value[at], old, items);
    });
  }

  get isUnchanged(): boolean {
    this.#isUnchanged ??= this.#compare();
    return this.#isUnchanged;
  }

  #child(step: string | number, make: () => Correlation | undefined): Correlation | undefined {
    this.#children ??= new Map();
    const known = this.#children.get(step);
    if (known !== undefined || this.#children.has(step)) return known;
    const made = make();
    this.#children.set(step, made);
    return made;
  }

  #oldElement(element: unknown): unknown {
    const { listType, listMapKeys } = this.#node;
    if (listType !== 'map' || !Array.isArray(this.#old)) return undefined;
    this.#oldByKey ??= elementsByKey(this.#old, listMapKeys);
    const key = mapKeyOf(element, listMapKeys);
    return key === undefined ? undefined : this.#oldByKey.get(key);
  }

  #compare(): boolean {
    const [value, old] = [this.#value, this.#old];
    if (Array.isArray(value)) return Array.isArray(old) && this.#compareLists(value, old);
    if (!isRecord(value) || !isRecord(old)) return isDeepStrictEqual(value, old);
    const names = Object.keys(value);
    // Fields that the schema does not specify are not correlated, so no value around them is unchanged.
    return (
      names.length === Object.keys(old).length &&
      names.every((name) => this.key(name)?.isUnchanged ?? false)
    );
  }

  #compareLists(value: readonly unknown[], old: readonly unknown[]): boolean {
    if (value.length !== old.length) return false;
    if (this.#node.listType !== 'map') return isDeepStrictEqual(value, old);
    return value.every((_, at) => this.index(at)?.isUnchanged ?? false);
  }
}

/** The first of several elements with the same keys counts. */
export function elementsByKey(
  list: readonly unknown[],
  keys: readonly string[],
): Map<string, unknown> {
  const byKey = new Map<string, unknown>();
  for (const element of list) {
    const key = mapKeyOf(element, keys);
    if (key !== undefined && !byKey.has(key)) byKey.set(key, element);
  }
  return byKey;
}
