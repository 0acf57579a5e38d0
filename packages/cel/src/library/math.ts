/** cel-go's math extension. Kubernetes does not have it; other users of CEL may. */

import type { Call, FunctionDeclaration, Library, Overload } from '../declarations/library.ts';
import { CelError, celError } from '../values/errors.ts';
import { isNumeric, type Numeric, toInt } from '../values/numbers.ts';
import { BOOL, DOUBLE, DYN, INT, listOf, type Type, UINT } from '../values/types.ts';
import { isList, type Result, Uint, type Value } from '../values/value.ts';
import { compareValues } from './comparison.ts';
import { global } from './declare.ts';
import { MATH_MACROS } from './math-macros.ts';

type NamedType = readonly [name: string, type: Type];

const NUMBERS: readonly NamedType[] = [
  ['double', DOUBLE],
  ['int', INT],
  ['uint', UINT],
];

export const MATH: Library = {
  name: 'cel.lib.ext.math',
  macros: MATH_MACROS,
  functions: [
    extreme('min', (order) => order > 0),
    extreme('max', (order) => order < 0),
    ofDouble('ceil', DOUBLE, Math.ceil),
    ofDouble('floor', DOUBLE, Math.floor),
    ofDouble('round', DOUBLE, roundFromZero),
    ofDouble('trunc', DOUBLE, Math.trunc),
    ofDouble('isInf', BOOL, (value) => !Number.isFinite(value) && !Number.isNaN(value)),
    ofDouble('isNaN', BOOL, Number.isNaN),
    ofDouble('isFinite', BOOL, Number.isFinite),
    ofNumber('abs', (type) => type, absolute),
    ofNumber('sign', (type) => type, sign),
    ofNumber(
      'sqrt',
      () => DOUBLE,
      (value) => Math.sqrt(value instanceof Uint ? Number(value.value) : Number(value)),
    ),
    bits('bitAnd', (one, other) => one & other),
    bits('bitOr', (one, other) => one | other),
    bits('bitXor', (one, other) => one ^ other),
    {
      name: 'math.bitNot',
      overloads: [
        global('math_bitNot_int_int', [INT], INT, ([value]) => ~(value as bigint)),
        global('math_bitNot_uint_uint', [UINT], UINT, ([value]) =>
          unsigned(~(value as Uint).value),
        ),
      ],
    },
    shift('bitShiftLeft', (value, count) => value << count),
    shift('bitShiftRight', (value, count) => value >> count),
  ],
};

function extreme(name: 'min' | 'max', isBetter: (order: number) => boolean): FunctionDeclaration {
  const overloads: Overload[] = [];
  const add = (suffix: string, parameters: readonly Type[], result: Type, call: Call) =>
    overloads.push(global(`math_@${name}_${suffix}`, parameters, result, call));
  const pick = (one: Value, other: Value) => better(name, isBetter, one, other);
  for (const [suffix, type] of NUMBERS) {
    add(suffix, [type], type, ([value]) => value as Value);
    add(`list_${suffix}`, [listOf(type)], type, ([list]) => bestOf(name, list, pick));
    for (const [other, otherType] of NUMBERS) {
      const result = suffix === other ? type : DYN;
      add(`${suffix}_${other}`, [type, otherType], result, ([left, right]) =>
        pick(left as Value, right as Value),
      );
    }
  }
  return { name: `math.@${name}`, overloads };
}

function better(
  name: string,
  isBetter: (order: number) => boolean,
  one: Value,
  other: Value,
): Result {
  const order = compareValues(one, other);
  if (order instanceof CelError) return celError(`${order.message}: math.@${name}`);
  return isBetter(order) ? other : one;
}

function bestOf(
  name: string,
  list: Value | undefined,
  pick: (one: Value, other: Value) => Result,
): Result {
  if (!isList(list) || list.size === 0) {
    return celError(`math.@${name}(list) argument must not be empty`);
  }
  let best = list.at(0);
  for (let index = 1; index < list.size; index++) {
    const element = list.at(index);
    if (best instanceof CelError) return best;
    best = element instanceof CelError ? element : pick(best, element);
  }
  if (best instanceof CelError || isNumeric(best)) return best;
  return celError(`no such overload: math.@${name}`);
}

function ofDouble(
  name: string,
  result: Type,
  compute: (value: number) => number | boolean,
): FunctionDeclaration {
  const overload = global(`math_${name}_double`, [DOUBLE], result, ([value]) =>
    compute(value as number),
  );
  return { name: `math.${name}`, overloads: [overload] };
}

function ofNumber(
  name: string,
  result: (type: Type) => Type,
  compute: (value: Numeric) => Result,
): FunctionDeclaration {
  const overloads = NUMBERS.map(([suffix, type]) =>
    global(`math_${name}_${suffix}`, [type], result(type), ([value]) => compute(value as Numeric)),
  );
  return { name: `math.${name}`, overloads };
}

function bits(name: string, compute: (one: bigint, other: bigint) => bigint): FunctionDeclaration {
  return {
    name: `math.${name}`,
    overloads: [
      global(`math_${name}_int_int`, [INT, INT], INT, ([one, other]) =>
        compute(one as bigint, other as bigint),
      ),
      global(`math_${name}_uint_uint`, [UINT, UINT], UINT, ([one, other]) =>
        unsigned(compute((one as Uint).value, (other as Uint).value)),
      ),
    ],
  };
}

/** All bits are gone with the 64th. */
const SHIFT_MAX = 64n;

/** To the right the sign moves too: what comes in is 0. */
function shift(
  name: string,
  compute: (value: bigint, count: bigint) => bigint,
): FunctionDeclaration {
  const shifted = (value: bigint, count: Value | undefined): bigint | CelError => {
    const places = count as bigint;
    if (places < 0n) return celError(`math.${name}() negative offset: ${places}`);
    return places >= SHIFT_MAX ? 0n : compute(BigInt.asUintN(64, value), places);
  };
  return {
    name: `math.${name}`,
    overloads: [
      global(`math_${name}_int_int`, [INT, INT], INT, ([value, count]) => {
        const result = shifted(value as bigint, count);
        return result instanceof CelError ? result : BigInt.asIntN(64, result);
      }),
      global(`math_${name}_uint_int`, [UINT, INT], UINT, ([value, count]) => {
        const result = shifted((value as Uint).value, count);
        return result instanceof CelError ? result : unsigned(result);
      }),
    ],
  };
}

function unsigned(value: bigint): Uint {
  return new Uint(BigInt.asUintN(64, value));
}

/** Halves go away from zero, which JavaScript's own rounding does for positive numbers only. */
function roundFromZero(value: number): number {
  const whole = Math.trunc(value);
  return Math.abs(value - whole) >= 0.5 ? whole + Math.sign(value) : whole;
}

function absolute(value: Numeric): Result {
  if (typeof value === 'number') return Math.abs(value);
  return value instanceof Uint ? value : toInt(value < 0n ? -value : value);
}

function sign(value: Numeric): Result {
  if (typeof value === 'number') return Number.isNaN(value) ? value : Math.sign(value) + 0;
  if (value instanceof Uint) return value.value === 0n ? value : new Uint(1n);
  return value === 0n ? 0n : value > 0n ? 1n : -1n;
}
