/** Kubernetes' quantities, such as `1.5Gi`. */
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  subtractQuantities,
} from '@tributary/apimachinery';
import type { Library, Overload } from '../declarations/library.ts';
import { type CelError, celError, NO_SUCH_OVERLOAD } from '../values/errors.ts';
import { BOOL, DOUBLE, INT, objectType, STRING, type Type } from '../values/types.ts';
import type { OpaqueValue, Result, Value } from '../values/value.ts';
import { declare, global, member } from './declare.ts';
import {
  approximateFloat,
  asInteger,
  type SmallQuantity,
  smallQuantity,
  smallSum,
} from './quantity-numbers.ts';

export const QUANTITY_TYPE: Type = objectType('kubernetes.Quantity');

export interface QuantityValue extends OpaqueValue {
  readonly quantity: Quantity;
  /** In 64 bits, where upstream has it so. */
  readonly small: SmallQuantity | undefined;
  /** A result of `add` or `sub`, which upstream compares only from the left. */
  readonly isComputed: boolean;
}

const Q = QUANTITY_TYPE;

export const QUANTITY: Library = {
  name: 'kubernetes.quantity',
  types: [],
  functions: [
    declare(
      'quantity',
      global('string_to_quantity', [STRING], Q, ([text]) => toQuantity(text as string)),
    ),
    declare(
      'isQuantity',
      global('is_quantity_string', [STRING], BOOL, ([text]) => parseQuantity(text as string).ok),
    ),
    declare(
      'sign',
      global('quantity_sign', [Q], INT, ([value]) => sign(of(value).unscaled)),
    ),
    declare(
      'isGreaterThan',
      compared('quantity_is_greater_than', BOOL, (order) => order > 0),
    ),
    declare(
      'isLessThan',
      compared('quantity_is_less_than', BOOL, (order) => order < 0),
    ),
    declare(
      'compareTo',
      compared('quantity_compare_to', INT, (order) => BigInt(Math.sign(order))),
    ),
    declare(
      'asApproximateFloat',
      member('quantity_get_float', [Q], DOUBLE, ([value]) => floatOf(value as QuantityValue)),
    ),
    declare(
      'asInteger',
      member('quantity_get_int', [Q], INT, ([value]) => {
        return (
          asInteger((value as QuantityValue).small) ?? celError('cannot convert value to integer')
        );
      }),
    ),
    declare(
      'isInteger',
      member(
        'quantity_is_integer',
        [Q],
        BOOL,
        ([value]) => asInteger((value as QuantityValue).small) !== undefined,
      ),
    ),
    declare('add', computed('quantity_add', Q, '+'), computed('quantity_add_int', INT, '+')),
    declare('sub', computed('quantity_sub', Q, '-'), computed('quantity_sub_int', INT, '-')),
  ],
};

export function isQuantity(value: Result | undefined): value is QuantityValue {
  return typeof value === 'object' && value !== null && 'quantity' in value;
}

export function quantityText({ quantity }: QuantityValue): string {
  return formatQuantity(quantity);
}

function of(value: Value | undefined): Quantity {
  return (value as QuantityValue).quantity;
}

type Numbers = Pick<QuantityValue, 'quantity' | 'small' | 'isComputed'>;

function quantityValue(numbers: Numbers): QuantityValue {
  const { quantity } = numbers;
  return {
    ...numbers,
    kind: 'opaque',
    type: QUANTITY_TYPE,
    equalityCost: 1,
    equals: (other) =>
      isQuantity(other) && !other.isComputed
        ? compareQuantities(quantity, other.quantity) === 0
        : NO_SUCH_OVERLOAD,
  };
}

function toQuantity(text: string): QuantityValue | CelError {
  const parsed = parseQuantity(text);
  if (!parsed.ok) return celError(parsed.error);
  const { quantity } = parsed;
  return quantityValue({ quantity, small: smallQuantity(text), isComputed: false });
}

function floatOf({ small, quantity }: QuantityValue): number {
  return approximateFloat(small, quantity);
}

function compared(
  id: string,
  result: Type,
  response: (order: number) => boolean | bigint,
): Overload {
  return member(id, [Q, Q], result, ([one, other]) =>
    response(compareQuantities(of(one), of(other))),
  );
}

function computed(id: string, type: Type, operation: '+' | '-'): Overload {
  return member(id, [Q, type], Q, ([one, other]) =>
    compute(
      one as QuantityValue,
      typeof other === 'bigint' ? whole(other) : (other as QuantityValue),
      operation,
    ),
  );
}

function whole(value: bigint): QuantityValue {
  const quantity: Quantity = { unscaled: value, exponent: 0, format: 'DecimalExponent' };
  return quantityValue({ quantity, small: { value, scale: 0 }, isComputed: false });
}

function compute(one: QuantityValue, other: QuantityValue, operation: '+' | '-'): Result {
  const operate = operation === '+' ? addQuantities : subtractQuantities;
  const by = other.small;
  const small = by && operation === '-' ? { ...by, value: -by.value } : by;
  try {
    const quantity = operate(one.quantity, other.quantity);
    return quantityValue({ quantity, small: smallSum(one.small, small), isComputed: true });
  } catch (error) {
    // Numbers so far apart that their sum has thousands of digits.
    if (error instanceof RangeError) return celError(error.message);
    throw error;
  }
}

function sign(value: bigint): bigint {
  return value > 0n ? 1n : value < 0n ? -1n : 0n;
}
