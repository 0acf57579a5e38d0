import { equal } from '../values/equality.ts';
import { CelError, celError } from '../values/errors.ts';
import { arrayList } from '../values/lists.ts';
import { isList, type ListValue, type Result, type Value } from '../values/value.ts';
import { refuseBeyondBudget } from './declare.ts';

export function slice(list: ListValue, start: bigint, end: bigint): Result {
  const what = `cannot slice(${start}, ${end})`;
  if (start < 0n || end < 0n) return celError(`${what}, negative indexes not supported`);
  if (start > end) {
    return celError(`${what}, start index must be less than or equal to end index`);
  }
  if (list.size < end) return celError(`${what}, list is length ${list.size}`);
  const elements: Value[] = [];
  for (let index = Number(start); index < Number(end); index++) {
    const element = list.at(index);
    if (element instanceof CelError) return element;
    elements.push(element);
  }
  return arrayList(elements);
}

export function flatten(list: ListValue, depth: bigint): Result {
  if (depth < 0n) return celError('level must be non-negative');
  const elements: Value[] = [];
  const error = collect(list, depth, elements);
  return error ?? arrayList(elements);
}

function collect(list: ListValue, depth: bigint, into: Value[]): CelError | undefined {
  for (let index = 0; index < list.size; index++) {
    const element = list.at(index);
    if (element instanceof CelError) return element;
    if (isList(element) && depth > 0n) {
      const error = collect(element, depth - 1n, into);
      if (error !== undefined) return error;
    } else {
      into.push(element);
      // The lists within are not counted by upstream.
      refuseBeyondBudget(into.length);
    }
  }
  return undefined;
}

/** The first of those that are equal. */
export function distinct(list: ListValue): Result {
  const retained: Value[] = [];
  for (let index = 0; index < list.size; index++) {
    const element = list.at(index);
    if (element instanceof CelError) return element;
    if (!retained.some((other) => equal(element, other, () => undefined) === true))
      retained.push(element);
  }
  return arrayList(retained);
}
