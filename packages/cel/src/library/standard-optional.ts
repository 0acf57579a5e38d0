import type { Library } from '../declarations/library.ts';
import { OPTIONAL_MACROS } from '../syntax/macros.ts';
import { display } from '../values/display.ts';
import { CelError, celError } from '../values/errors.ts';
import { arrayList } from '../values/lists.ts';
import {
  BOOL,
  DYN,
  INT,
  listOf,
  mapOf,
  optionalOf,
  STRING,
  typeParameter,
} from '../values/types.ts';
import {
  Duration,
  isList,
  isMap,
  NONE,
  Optional,
  type Result,
  Timestamp,
  Uint,
  type Value,
} from '../values/value.ts';
import { toTimestamp } from './arithmetic.ts';

const K = typeParameter('K');
const V = typeParameter('V');
const OPTIONAL = optionalOf(V);
const LIST = listOf(V);
const MAP = mapOf(K, V);

/** `optional.of` and the like; `or`, `orValue`, selections and indices are the planner's. */
export const OPTIONAL_LIBRARY: Library = {
  name: 'optional',
  types: [optionalOf(DYN)],
  macros: OPTIONAL_MACROS,
  functions: [
    global('optional.of', 'optional_of', [V], OPTIONAL, ([value]) => new Optional(value)),
    global('optional.ofNonZeroValue', 'optional_ofNonZeroValue', [V], OPTIONAL, ([value]) =>
      value === undefined || isZero(value) ? NONE : new Optional(value),
    ),
    global('optional.none', 'optional_none', [], OPTIONAL, () => NONE),
    member('value', 'optional_value', [OPTIONAL], V, ([optional]) => {
      const { value } = optional as Optional;
      return value === undefined ? celError('optional.none() dereference') : value;
    }),
    member(
      'hasValue',
      'optional_hasValue',
      [OPTIONAL],
      BOOL,
      ([optional]) => (optional as Optional).value !== undefined,
    ),
    member('or', 'optional_or_optional', [OPTIONAL, OPTIONAL], OPTIONAL),
    member('orValue', 'optional_orValue_value', [OPTIONAL, V], V),
    {
      name: '_?._',
      overloads: [
        { id: 'select_optional_field', member: false, parameters: [DYN, STRING], result: OPTIONAL },
      ],
    },
    {
      name: '_[?_]',
      overloads: [
        index('list_optindex_optional_int', LIST, INT),
        index('optional_list_optindex_optional_int', optionalOf(LIST), INT),
        index('map_optindex_optional_value', MAP, K),
        index('optional_map_optindex_optional_value', optionalOf(MAP), K),
      ],
    },
    {
      name: '_[_]',
      overloads: [
        index('optional_list_index_int', optionalOf(LIST), INT),
        index('optional_map_index_value', optionalOf(MAP), K),
      ],
    },
    member('last', 'list_last', [LIST], OPTIONAL, ([list]) => elementAt(list, -1)),
    member('first', 'list_first', [LIST], OPTIONAL, ([list]) => elementAt(list, 0)),
    global('optional.unwrap', 'optional_unwrap', [listOf(OPTIONAL)], LIST, ([list]) =>
      unwrap(list),
    ),
    member('unwrapOpt', 'optional_unwrapOpt', [listOf(OPTIONAL)], LIST, ([list]) => unwrap(list)),
  ],
};

type Declared = Library['functions'][number];
type Parameters = Declared['overloads'][number]['parameters'];
type Implementation = NonNullable<Declared['overloads'][number]['call']>;

function global(
  name: string,
  id: string,
  parameters: Parameters,
  result: Parameters[number],
  call: Implementation,
): Declared {
  return { name, overloads: [{ id, member: false, parameters, result, call }] };
}

function member(
  name: string,
  id: string,
  parameters: Parameters,
  result: Parameters[number],
  call?: Implementation,
): Declared {
  const overload = { id, member: true, parameters, result };
  return { name, overloads: [call === undefined ? overload : { ...overload, call }] };
}

function index(id: string, of: Parameters[number], key: Parameters[number]) {
  return { id, member: false, parameters: [of, key], result: OPTIONAL };
}

function elementAt(list: Value | undefined, position: number): Result {
  if (!isList(list) || list.size === 0) {
    return NONE;
  }
  const element = list.at(position < 0 ? list.size + position : position);
  return element instanceof CelError ? element : new Optional(element);
}

function unwrap(list: Value | undefined): Result {
  const values: Value[] = [];
  for (let position = 0; isList(list) && position < list.size; position++) {
    const element = list.at(position);
    if (element instanceof CelError) {
      return element;
    }
    if (!(element instanceof Optional)) {
      return celError(`value ${display(element)} is not optional`);
    }
    if (element.value !== undefined) {
      values.push(element.value);
    }
  }
  return arrayList(values);
}

/** The first instant there is. */
const ZERO_TIME = toTimestamp(-62_135_596_800_000_000_000n);

/** Null, false, 0, what is empty; types and values of libraries never are. */
function isZero(value: Value): boolean {
  if (value === null || value === false || value === 0n || value === 0 || value === '') {
    return true;
  }
  if (value instanceof Uint) {
    return value.value === 0n;
  }
  if (value instanceof Uint8Array) {
    return value.length === 0;
  }
  if (value instanceof Duration) {
    return value.nanoseconds === 0n;
  }
  if (value instanceof Timestamp) {
    return ZERO_TIME instanceof Timestamp && value.nanoseconds === ZERO_TIME.nanoseconds;
  }
  return (isList(value) || isMap(value)) && value.size === 0;
}
