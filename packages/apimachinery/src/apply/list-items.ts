import { type KeyField, keyElement, type PathElement, valueElement } from './path-element.ts';
import { isMap, type ListType } from './type.ts';
import { TypedError } from './typed-error.ts';

/** The path element of an item in an associative list; throws a TypedError for an item without a key. */
export function itemElement({ keys, element }: ListType, item: unknown): PathElement {
  return keys.length > 0 ? keyedItem(keys, element.map?.fields, item) : setItem(item);
}

function keyedItem(
  keys: readonly string[],
  fields: ReadonlyMap<string, { readonly default?: unknown }> | undefined,
  item: unknown,
): PathElement {
  if (item === null) throw itemError('associative list with keys may not have a null element');
  if (!isMap(item)) throw itemError('associative list with keys may not have non-map elements');
  const found: KeyField[] = [];
  for (const key of keys) {
    const value = Object.hasOwn(item, key) ? item[key] : fields?.get(key)?.default;
    // An item without one of the keys differs from all items that have it.
    if (value !== undefined) found.push([key, value]);
  }
  if (found.length === 0) {
    const names = keys.map((key) => JSON.stringify(key)).join(' ');
    throw itemError(
      `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
    );
  }
  return keyElement(found);
}

function setItem(item: unknown): PathElement {
  if (isMap(item)) {
    throw itemError("associative list without keys has an element that's a map type");
  }
  if (Array.isArray(item)) {
    throw itemError('not supported: associative list with lists as elements');
  }
  if (item === null) {
    throw itemError("associative list without keys has an element that's an explicit null");
  }
  return valueElement(item);
}

function itemError(message: string): TypedError {
  return new TypedError([{ path: '', message }]);
}
