import { display } from '../values/display.ts';
import { CelError, celError, NO_SUCH_OVERLOAD } from '../values/errors.ts';
import type { Json } from '../values/json.ts';
import { isList, type ListValue, type Result, type Step, type Value } from '../values/value.ts';
import {
  type Backed,
  DATA,
  equalParts,
  ITEMS,
  type JsonObject,
  plainData,
  type ToValue,
} from './backing.ts';
import { isPlain } from './plain.ts';
import type { Schema } from './schema.ts';

/** A list as its kind says: by order, a set, or by keys of its elements. */
export function typedArray(data: readonly Json[], schema: Schema, toValue: ToValue): Result {
  const { items } = schema;
  if (items === undefined) {
    return celError('invalid array type, expected Items with a non-empty Schema');
  }
  const listType = schema['x-kubernetes-list-type'] ?? 'atomic';
  switch (listType) {
    case 'atomic':
      return typedList(data, items, toValue);
    case 'set':
      return setList(data, items, toValue);
    case 'map':
      return mapList(data, items, schema['x-kubernetes-list-map-keys'] ?? [], toValue);
    default:
      return celError(
        `invalid x-kubernetes-list-type, expected 'map', 'set' or 'atomic' but got ${listType}`,
      );
  }
}

function typedList(data: readonly Json[], items: Schema, toValue: ToValue): ListValue & Backed {
  const children: Result[] = [];
  const at = (index: number): Result => {
    const known = children[index];
    if (known !== undefined) {
      return known;
    }
    const value = toValue(data[index], items);
    children[index] = value;
    return value;
  };
  const list: ListValue & Backed = {
    kind: 'list',
    [DATA]: data,
    [ITEMS]: items,
    size: data.length,
    at,
    equals: (other, step) =>
      equalPlainly(data, items, other, step) ?? equalLists(list, other, step),
    contains: (value, step) => containsValue(list, value, step),
  };
  return list;
}

/** So many scalars are compared in the time of one step. */
const SCALARS_PER_STEP = 8;

/** Lists of plain scalars of one type compare as data, many times faster; undefined for any others. */
function equalPlainly(
  data: readonly Json[],
  items: Schema,
  other: Value,
  step: Step,
): boolean | undefined {
  const theirs = typeof other === 'object' && other !== null ? (other as Backed) : undefined;
  const otherData = theirs?.[DATA];
  if (theirs?.[ITEMS] !== items || !Array.isArray(otherData) || !isPlain(items)) {
    return undefined;
  }
  step(1 + data.length / SCALARS_PER_STEP);
  return data.length === otherData.length && data.every((one, at) => one === otherData[at]);
}

function equalLists(list: ListValue, other: Value, step: Step): boolean | CelError {
  if (!isList(other)) {
    return NO_SUCH_OVERLOAD;
  }
  if (list.size !== other.size) {
    return false;
  }
  for (let index = 0; index < list.size; index++) {
    const result = equalParts(list.at(index), other.at(index), step);
    if (result !== true) {
      return result;
    }
  }
  return true;
}

function containsValue(list: ListValue, value: Value, step: Step): boolean | CelError {
  let error: CelError | undefined;
  for (let index = 0; index < list.size; index++) {
    const result = equalParts(list.at(index), value, step);
    if (result === true) {
      return true;
    }
    if (result instanceof CelError) {
      error ??= result;
    }
  }
  return error ?? false;
}

/** Finding an element by what it is takes so many times longer than comparing two. */
const STEPS_PER_MEMBER = 4;

/** A list whose order does not matter and whose elements, scalars, are there once. */
function setList(data: readonly Json[], items: Schema, toValue: ToValue): ListValue {
  const list = typedList(data, items, toValue);
  const members = () => new Set(data.map(scalarKey));
  return {
    ...list,
    equals(other, step) {
      if (!isList(other)) {
        return NO_SUCH_OVERLOAD;
      }
      step(STEPS_PER_MEMBER * (list.size + other.size));
      const known = members();
      return (
        list.size === other.size && elementsOf(other).every((one) => known.has(scalarKey(one)))
      );
    },
    plus(other) {
      const known = members();
      const added = elementsOf(other).filter((one) => {
        const isNew = !known.has(scalarKey(one));
        known.add(scalarKey(one));
        return isNew;
      });
      return setList([...data, ...(added as Json[])], items, toValue);
    },
  };
}

/** A list whose elements are found by keys of theirs. */
function mapList(
  data: readonly Json[],
  items: Schema,
  keys: readonly string[],
  toValue: ToValue,
): ListValue {
  const list = typedList(data, items, toValue);
  const keyOf = (element: unknown) =>
    JSON.stringify(
      keys.map((key) => {
        const object = element as JsonObject | null;
        const part = object && Object.hasOwn(object, key) ? object[key] : null;
        return typeof part === 'bigint' ? `${part}n` : part;
      }),
    );
  const positions = () => new Map(data.map((element, index) => [keyOf(element), index]));
  return {
    ...list,
    equals(other, step) {
      if (!isList(other)) {
        return NO_SUCH_OVERLOAD;
      }
      if (list.size !== other.size) {
        return false;
      }
      step(STEPS_PER_MEMBER * (list.size + other.size));
      const known = positions();
      for (let index = 0; index < other.size; index++) {
        const element = other.at(index);
        const position = known.get(keyOf(plainElement(element)));
        const result = position !== undefined && equalParts(list.at(position), element, step);
        if (result !== true) {
          return result;
        }
      }
      return true;
    },
    plus(other) {
      const known = positions();
      const merged = [...data];
      for (const element of elementsOf(other)) {
        const position = known.get(keyOf(element));
        if (position === undefined) {
          merged.push(element as Json);
        } else {
          merged[position] = element as Json;
        }
      }
      return mapList(merged, items, keys, toValue);
    },
  };
}

function elementsOf(list: ListValue): unknown[] {
  return Array.from({ length: list.size }, (_, index) => plainElement(list.at(index)));
}

function plainElement(element: Result): unknown {
  return element instanceof CelError ? display(element) : plainData(element);
}

/** The key of a set's member: ints of expressions are the numbers of data. */
function scalarKey(value: unknown): unknown {
  return typeof value === 'bigint' && BigInt(Number(value)) === value ? Number(value) : value;
}
