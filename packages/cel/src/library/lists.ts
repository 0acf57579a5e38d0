/** Kubernetes' list functions: `isSorted`, `sum`, `min`, `max`, `indexOf`, `lastIndexOf`. */

import type { FunctionDeclaration, Library } from '../declarations/library.ts';
import { equal } from '../values/equality.ts';
import { CelError, celError, NO_SUCH_OVERLOAD } from '../values/errors.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  listOf,
  STRING,
  TIMESTAMP,
  type Type,
  typeParameter,
  UINT,
} from '../values/types.ts';
import { Duration, type ListValue, type Result, Uint, type Value } from '../values/value.ts';
import { add, isAddable } from './arithmetic.ts';
import { compareValues, isComparable } from './comparison.ts';
import { declare, member } from './declare.ts';

const A = typeParameter('A');

type NamedType = readonly [name: string, type: Type];

const COMPARABLE: readonly NamedType[] = [
  ['int', INT],
  ['uint', UINT],
  ['double', DOUBLE],
  ['bool', BOOL],
  ['duration', DURATION],
  ['timestamp', TIMESTAMP],
  ['string', STRING],
  ['bytes', BYTES],
];

const SUMMABLE: readonly (readonly [name: string, type: Type, zero: Value])[] = [
  ['int', INT, 0n],
  ['uint', UINT, new Uint(0n)],
  ['double', DOUBLE, 0],
  ['duration', DURATION, new Duration(0n)],
];

export const KUBERNETES_LISTS: Library = {
  name: 'kubernetes.lists',
  functions: [
    declare(
      'isSorted',
      ...COMPARABLE.map(([name, type]) =>
        member(`list_${name}_is_sorted_bool`, [listOf(type)], BOOL, ([list]) =>
          isSorted(list as ListValue),
        ),
      ),
    ),
    declare(
      'sum',
      ...SUMMABLE.map(([name, type, zero]) =>
        member(`list_${name}_sum_${name}`, [listOf(type)], type, ([list]) =>
          sum(list as ListValue, zero),
        ),
      ),
    ),
    extreme('max', (order) => order < 0),
    extreme('min', (order) => order > 0),
    declare(
      'indexOf',
      member('list_a_index_of_int', [listOf(A), A], INT, ([list, item]) =>
        firstIndex(list as ListValue, item as Value),
      ),
    ),
    declare(
      'lastIndexOf',
      member('list_a_last_index_of_int', [listOf(A), A], INT, ([list, item]) =>
        lastIndex(list as ListValue, item as Value),
      ),
    ),
  ],
};

function extreme(name: 'min' | 'max', isBetter: (order: number) => boolean): FunctionDeclaration {
  return declare(
    name,
    ...COMPARABLE.map(([typeName, type]) =>
      member(`list_${typeName}_${name}_${typeName}`, [listOf(type)], type, ([list]) =>
        best(list as ListValue, name, isBetter),
      ),
    ),
  );
}

/** Elements that cannot be compared with each other are taken for sorted. */
function isSorted(list: ListValue): Result {
  for (let index = 0; index < list.size; index++) {
    const element = list.at(index);
    if (element instanceof CelError) return element;
    if (!isComparable(element)) return NO_SUCH_OVERLOAD;
    if (index > 0 && comesAfter(list.at(index - 1), element)) return false;
  }
  return true;
}

function comesAfter(one: Result, other: Value): boolean {
  if (one instanceof CelError) return false;
  const order = compareValues(one, other);
  return typeof order === 'number' && order > 0;
}

function sum(list: ListValue, zero: Value): Result {
  let total = zero;
  for (let index = 0; index < list.size; index++) {
    const element = list.at(index);
    if (element instanceof CelError) return element;
    if (!isAddable(element)) return NO_SUCH_OVERLOAD;
    const next = add(total, element);
    if (next instanceof CelError) return next;
    total = next;
  }
  return total;
}

function best(list: ListValue, name: string, isBetter: (order: number) => boolean): Result {
  if (list.size === 0) return celError(`${name} called on empty list`);
  let chosen: Value | undefined;
  for (let index = 0; index < list.size; index++) {
    const element = list.at(index);
    if (element instanceof CelError) return element;
    if (!isComparable(element)) return NO_SUCH_OVERLOAD;
    const order = chosen === undefined ? undefined : compareValues(chosen, element);
    if (order === undefined || (typeof order === 'number' && isBetter(order))) chosen = element;
  }
  return chosen ?? NO_SUCH_OVERLOAD;
}

function firstIndex(list: ListValue, item: Value): bigint {
  for (let index = 0; index < list.size; index++) {
    if (isEqual(list.at(index), item)) return BigInt(index);
  }
  return -1n;
}

function lastIndex(list: ListValue, item: Value): bigint {
  for (let index = list.size - 1; index >= 0; index--) {
    if (isEqual(list.at(index), item)) return BigInt(index);
  }
  return -1n;
}

/** The cost of the call is that of walking over the list, which bounds the work here too. */
function isEqual(element: Result, item: Value): boolean {
  return !(element instanceof CelError) && equal(element, item, () => undefined) === true;
}
