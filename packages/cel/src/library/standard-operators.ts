import { comparisonCost, traversalCost } from '../declarations/estimate.ts';
import type { ActualCost, FunctionDeclaration, Overload } from '../declarations/library.ts';
import { CelError, NO_SUCH_OVERLOAD } from '../values/errors.ts';
import { isNumeric } from '../values/numbers.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  listOf,
  mapOf,
  STRING,
  TIMESTAMP,
  type Type,
  typeParameter,
  UINT,
} from '../values/types.ts';
import { Duration, type Result, sizeOf, Timestamp, type Value } from '../values/value.ts';
import { add, divide, isAddable, modulo, multiply, negate, subtract } from './arithmetic.ts';
import { compareValues, isComparable } from './comparison.ts';

const A = typeParameter('A');
const B = typeParameter('B');
const LIST = listOf(A);
const MAP = mapOf(A, B);

/** Types that can be ordered: of numbers every pair of types, otherwise with themselves. */
const ORDERED: readonly (readonly [string, Type, Type])[] = [
  ['bool', BOOL, BOOL],
  ['int64', INT, INT],
  ['int64_double', INT, DOUBLE],
  ['int64_uint64', INT, UINT],
  ['uint64', UINT, UINT],
  ['uint64_double', UINT, DOUBLE],
  ['uint64_int64', UINT, INT],
  ['double', DOUBLE, DOUBLE],
  ['double_int64', DOUBLE, INT],
  ['double_uint64', DOUBLE, UINT],
  ['string', STRING, STRING],
  ['bytes', BYTES, BYTES],
  ['timestamp', TIMESTAMP, TIMESTAMP],
  ['duration', DURATION, DURATION],
];

/** Operators. Those with a singleton are told apart only by the values, as upstream does. */
export const OPERATORS: readonly FunctionDeclaration[] = [
  { name: '_?_:_', overloads: [global('conditional', [BOOL, A, A], A)] },
  { name: '_&&_', overloads: [global('logical_and', [BOOL, BOOL], BOOL)] },
  { name: '_||_', overloads: [global('logical_or', [BOOL, BOOL], BOOL)] },
  {
    name: '!_',
    overloads: [global('logical_not', [BOOL], BOOL)],
    singleton: {
      accepts: () => true,
      call: ([value]) => (typeof value === 'boolean' ? !value : NO_SUCH_OVERLOAD),
    },
  },
  { name: '_==_', overloads: [global('equals', [A, A], BOOL)] },
  { name: '_!=_', overloads: [global('not_equals', [A, A], BOOL)] },
  {
    name: '_+_',
    overloads: [
      costing(global('add_bytes', [BYTES, BYTES], BYTES), concatenationCost),
      global('add_double', [DOUBLE, DOUBLE], DOUBLE),
      global('add_duration_duration', [DURATION, DURATION], DURATION),
      global('add_duration_timestamp', [DURATION, TIMESTAMP], TIMESTAMP),
      global('add_timestamp_duration', [TIMESTAMP, DURATION], TIMESTAMP),
      global('add_int64', [INT, INT], INT),
      global('add_list', [LIST, LIST], LIST),
      costing(global('add_string', [STRING, STRING], STRING), concatenationCost),
      global('add_uint64', [UINT, UINT], UINT),
    ],
    singleton: { accepts: isAddable, call: both(add) },
  },
  {
    name: '_-_',
    overloads: [
      global('subtract_double', [DOUBLE, DOUBLE], DOUBLE),
      global('subtract_duration_duration', [DURATION, DURATION], DURATION),
      global('subtract_int64', [INT, INT], INT),
      global('subtract_timestamp_duration', [TIMESTAMP, DURATION], TIMESTAMP),
      global('subtract_timestamp_timestamp', [TIMESTAMP, TIMESTAMP], DURATION),
      global('subtract_uint64', [UINT, UINT], UINT),
    ],
    singleton: { accepts: isSubtractable, call: both(subtract) },
  },
  arithmetic('_*_', 'multiply', multiply, true),
  arithmetic('_/_', 'divide', divide, true),
  arithmetic('_%_', 'modulo', modulo, false),
  {
    name: '-_',
    overloads: [global('negate_double', [DOUBLE], DOUBLE), global('negate_int64', [INT], INT)],
    singleton: {
      accepts: (value) =>
        typeof value === 'bigint' ||
        typeof value === 'number' ||
        typeof value === 'boolean' ||
        value instanceof Duration,
      call: ([value]) => (value === undefined ? NO_SUCH_OVERLOAD : negate(value)),
    },
  },
  comparison('_<_', 'less', (order) => order < 0),
  comparison('_<=_', 'less_equals', (order) => order <= 0),
  comparison('_>_', 'greater', (order) => order > 0),
  comparison('_>=_', 'greater_equals', (order) => order >= 0),
  {
    name: '_[_]',
    overloads: [global('index_list', [LIST, INT], A), global('index_map', [MAP, A], B)],
  },
  {
    name: '@in',
    overloads: [global('in_list', [A, LIST], BOOL), global('in_map', [A, MAP], BOOL)],
  },
  {
    name: '@not_strictly_false',
    overloads: [global('not_strictly_false', [BOOL], BOOL)],
  },
];

function global(id: string, parameters: readonly Type[], result: Type): Overload {
  return { id, member: false, parameters, result };
}

function costing(overload: Overload, actualCost: ActualCost): Overload {
  return { ...overload, actualCost };
}

function concatenationCost([left, right]: readonly Result[]): number {
  return traversalCost(sizeOf(left ?? null) + sizeOf(right ?? null));
}

function both(operation: (left: Value, right: Value) => Result) {
  return ([left, right]: readonly Value[]): Result =>
    left === undefined || right === undefined ? NO_SUCH_OVERLOAD : operation(left, right);
}

function arithmetic(
  name: string,
  word: string,
  operation: (left: Value, right: Value) => Result,
  withDoubles: boolean,
): FunctionDeclaration {
  const doubles = withDoubles ? [global(`${word}_double`, [DOUBLE, DOUBLE], DOUBLE)] : [];
  return {
    name,
    overloads: [
      ...doubles,
      global(`${word}_int64`, [INT, INT], INT),
      global(`${word}_uint64`, [UINT, UINT], UINT),
    ],
    singleton: {
      accepts: (value) => isNumeric(value) && (withDoubles || typeof value !== 'number'),
      call: both(operation),
    },
  };
}

function comparison(
  name: string,
  word: string,
  test: (order: number) => boolean,
): FunctionDeclaration {
  return {
    name,
    overloads: ORDERED.map(([suffix, left, right]) => {
      const overload = global(`${word}_${suffix}`, [left, right], BOOL);
      return suffix === 'string' || suffix === 'bytes'
        ? costing(overload, ([ours, theirs]) => comparisonCost(ours ?? null, theirs ?? null))
        : overload;
    }),
    singleton: {
      accepts: isComparable,
      call: both((left, right) => {
        const order = compareValues(left, right);
        return order instanceof CelError ? order : test(order);
      }),
    },
  };
}

function isSubtractable(value: Value): boolean {
  return isNumeric(value) || value instanceof Timestamp || value instanceof Duration;
}
