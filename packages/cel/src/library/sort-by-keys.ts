import { CelError, celError } from '../values/errors.ts';
import { arrayList } from '../values/lists.ts';
import { runtimeName } from '../values/types.ts';
import { type ListValue, type Result, typeOfValue, type Value } from '../values/value.ts';
import { compareValues, isComparable } from './comparison.ts';

/** The elements of a list in the order of their keys. */
export function sortByKeys(list: ListValue, keys: ListValue): Result {
  if (list.size !== keys.size) {
    return celError(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${list.size} and ${keys.size} elements respectively`,
    );
  }
  if (list.size === 0) return list;
  const found = pairs(list, keys);
  if (found instanceof CelError) return found;
  const [first] = found;
  if (first === undefined || !isComparable(first.key)) {
    return celError('list elements must be comparable');
  }
  const type = runtimeName(typeOfValue(first.key));
  // One element is compared with nothing, not even with itself.
  if (found.length > 1 && found.some(({ key }) => runtimeName(typeOfValue(key)) !== type)) {
    return celError('list elements must have the same type');
  }
  const sorted = found.sort((one, other) => {
    const order = compareValues(one.key, other.key);
    return typeof order === 'number' ? order : 0;
  });
  return arrayList(sorted.map(({ element }) => element));
}

interface Pair {
  readonly element: Value;
  readonly key: Value;
}

function pairs(list: ListValue, keys: ListValue): Pair[] | CelError {
  const found: Pair[] = [];
  for (let index = 0; index < list.size; index++) {
    const element = list.at(index);
    const key = keys.at(index);
    if (element instanceof CelError) return element;
    if (key instanceof CelError) return key;
    found.push({ element, key });
  }
  return found;
}
