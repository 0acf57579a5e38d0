import type { Library } from '../declarations/library.ts';
import { TWO_VARIABLE_MACROS } from '../syntax/macros.ts';
import { CelError } from '../values/errors.ts';
import { withEntry } from '../values/maps.ts';
import { mapOf, typeParameter } from '../values/types.ts';
import { isMap, type MapValue, type Result, type Value } from '../values/value.ts';

const K = typeParameter('K');
const V = typeParameter('V');
const MAP = mapOf(K, V);

/** Loops with two variables: `map.all(key, value, …)`, `list.transformList(index, value, …)`. */
export const TWO_VARIABLE_COMPREHENSIONS: Library = {
  name: 'two-variable comprehensions',
  macros: TWO_VARIABLE_MACROS,
  functions: [
    {
      name: 'cel.@mapInsert',
      overloads: [
        {
          id: '@mapInsert_map_key_value',
          member: false,
          parameters: [MAP, K, V],
          result: MAP,
          call: ([map, key, value]) => withEntry(map as MapValue, key as Value, value as Value),
        },
        {
          id: '@mapInsert_map_map',
          member: false,
          parameters: [MAP, MAP],
          result: MAP,
          call: ([map, entries]) => withEntries(map as MapValue, entries as MapValue),
        },
      ],
    },
  ],
};

function withEntries(map: MapValue, entries: MapValue): Result {
  let target = map;
  for (const key of entries.keys()) {
    const value = entries.get(key);
    if (value === undefined || value instanceof CelError) {
      return value ?? target;
    }
    const inserted = withEntry(target, key, value);
    if (!isMap(inserted)) {
      return inserted;
    }
    target = inserted;
  }
  return target;
}
