import { type KeyField, keyElement, type PathElement, valueElement } from './path-element.ts';
import { isMap, type ListType } from './type.ts';
import { TypedError } from './typed-error.ts';

/** What tells an item of an associative list from the others; throws when nothing does. */
export function itemElement({ keys, element }: ListType, item: unknown): PathElement {
  return keys.length > 0 ? keyedItem(keys, element.map?.fields, item) : setItem(item);
}

function keyedItem(
  keys: readonly string[],
  fields: ReadonlyMap<string, { readonly default?: unknown }> | undefined,
  item: unknown,
): PathElement {
  if (item === null) throw untellable('associative list with keys may not have a null element');
  if (!isMap(item)) throw untellable('associative list with keys may not have non-map elements');
  const found: KeyField[] = [];
  for (const key of keys) {
    const value = Object.hasOwn(item, key) ? item[key] : fields?.get(key)?.default;
    // An item without one of the keys is another item than one that has it.
    if (value !== undefined) found.push([key, value]);
  }
  if (found.length === 0) {
    const names = keys.map((key) => JSON.stringify(key)).join(' ');
    throw untellable(
      `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
    );
  }
  return keyElement(found);
}

function setItem(item: unknown): PathElement {
  if (isMap(item)) {
    throw untellable("associative list without keys has an element that's a map type");
  }
  if (Array.isArray(item)) {
    throw untellable('not supported: associative list with lists as elements');
  }
  if (item === null) {
    throw untellable("associative list without keys has an element that's an explicit null");
  }
  return valueElement(item);
}

/** An item that nothing tells from the others: whatever the list is in does not fit its type. */
function untellable(message: string): TypedError {
  return new TypedError([{ path: '', message }]);
}
