/** Quantities as numbers. Upstream keeps most of them in 64 bits, and answers for those alone whether they are whole. */
import type { Quantity } from '@tributary/apimachinery';
import { INT_MAX, INT_MIN } from '../values/numbers.ts';

/** The value times ten to the power of the scale. */
export interface SmallQuantity {
  readonly value: bigint;
  readonly scale: number;
}

const DECIMALS: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const BINARIES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const DIGITS_MAX = 18;
const NANO = -9;

/** The small form of a text that is a quantity; nothing when upstream does not keep it in 64 bits. */
export function smallQuantity(text: string): SmallQuantity | undefined {
  const parts = /^([-+]?)0*([0-9]*)(?:\.([0-9]*))?(.*)$/.exec(text);
  const [, sign = '', integer = '', fraction = '', suffix = ''] = parts ?? [];
  const signed = (value: bigint) => (sign === '-' ? -value : value);
  const binary = BINARIES.indexOf(suffix);
  if (binary > 0) {
    const room = 15 - Math.max(1, integer.length) - 3 * binary - 1;
    const isSmall = fraction === '' && room >= 0;
    return isSmall
      ? { value: signed(BigInt(integer) << BigInt(10 * binary)), scale: 0 }
      : undefined;
  }
  const exponent = Object.hasOwn(DECIMALS, suffix)
    ? (DECIMALS[suffix] ?? 0)
    : Number(suffix.slice(1));
  const scale = exponent - fraction.length;
  const isSmall = integer.length + fraction.length <= DIGITS_MAX && scale >= NANO;
  return isSmall ? { value: signed(BigInt(integer + fraction)), scale } : undefined;
}

/** The small form of a sum, where both have one and it fits. */
export function smallSum(
  one: SmallQuantity | undefined,
  other: SmallQuantity | undefined,
): SmallQuantity | undefined {
  if (one === undefined || other === undefined || other.value === 0n) return other && one;
  if (one.value === 0n) return other;
  const scale = Math.min(one.scale, other.scale);
  const [left, right] = [one, other].map((small) => scaled(small.value, small.scale - scale));
  if (left === undefined || right === undefined) return undefined;
  const value = fitting(left + right);
  return value === undefined ? undefined : { value, scale };
}

/** Undefined when it is not whole or does not fit. */
export function asInteger(small: SmallQuantity | undefined): bigint | undefined {
  return small === undefined || small.scale < 0 ? undefined : scaled(small.value, small.scale);
}

/** The digits as a double times a power of ten, as upstream computes it: not always the nearest double. */
export function approximateFloat(small: SmallQuantity | undefined, whole: Quantity): number {
  if (small !== undefined) return withExponent(Number(small.value), small.scale);
  const shift = Math.max(0, whole.exponent - NANO);
  if (shift > 1000) return withExponent(Number(whole.unscaled), whole.exponent);
  const unscaled = whole.unscaled * 10n ** BigInt(shift);
  return withExponent(Number(unscaled), whole.exponent - shift);
}

/** The literal is the nearest double to the power, which a computed one is not. */
function withExponent(base: number, exponent: number): number {
  return exponent === 0 ? base : base * Number(`1e${exponent}`);
}

function scaled(value: bigint, zeros: number): bigint | undefined {
  if (value === 0n) return 0n;
  return zeros > DIGITS_MAX ? undefined : fitting(value * 10n ** BigInt(zeros));
}

function fitting(value: bigint): bigint | undefined {
  return value >= INT_MIN && value <= INT_MAX ? value : undefined;
}
