import type { ListValue, MapValue, Value } from './value.ts';

/** Data as parsed JSON has it: integers beyond 2^53 are bigint. */
export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/** A value of any type. Whole numbers are ints, others doubles; lists and maps are wrapped, not copied. */
export function jsonValue(data: Json): Value {
  switch (typeof data) {
    case 'number':
      return Number.isInteger(data) ? BigInt(data) : data;
    case 'object':
      if (data === null) {
        return null;
      }
      return Array.isArray(data) ? jsonList(data) : jsonMap(data as { [key: string]: Json });
    default:
      return data;
  }
}

function jsonList(data: readonly Json[]): ListValue {
  return { kind: 'list', size: data.length, at: (index) => jsonValue(data[index] as Json) };
}

function jsonMap(data: { readonly [key: string]: Json }): MapValue {
  let keys: readonly string[] | undefined;
  const allKeys = () => {
    keys ??= Object.keys(data);
    return keys;
  };
  return {
    kind: 'map',
    get size() {
      return allKeys().length;
    },
    get: (key) =>
      typeof key === 'string' && Object.hasOwn(data, key)
        ? jsonValue(data[key] as Json)
        : undefined,
    keys: allKeys,
  };
}
