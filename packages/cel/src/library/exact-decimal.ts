/** Doubles as decimal numbers, rounded from their exact value, half to even, as Go prints them. */

/** So many digits behind the point. */
export function toFixedExactly(value: number, digits: number): string {
  const rounded = scaledInteger(Math.abs(value), digits)
    .toString()
    .padStart(digits + 1, '0');
  const sign = value < 0 ? '-' : '';
  if (digits === 0) return `${sign}${rounded}`;
  return `${sign}${rounded.slice(0, -digits)}.${rounded.slice(-digits)}`;
}

export interface Scientific {
  /** One digit before the point and the given number behind. */
  readonly mantissa: string;
  readonly exponent: number;
}

/** The sign is left out. */
export function toScientificExactly(value: number, digits: number): Scientific {
  const magnitude = Math.abs(value);
  if (magnitude === 0) return { mantissa: `0.${'0'.repeat(digits)}`, exponent: 0 };
  const exponent = Number(magnitude.toExponential().split('e')[1]);
  const rounded = scaledInteger(magnitude, digits - exponent).toString();
  // Rounding may have made one digit more.
  const isLonger = rounded.length > digits + 1;
  return {
    mantissa: `${rounded[0]}.${rounded.slice(1, digits + 1)}`,
    exponent: exponent + (isLonger ? 1 : 0),
  };
}

const FRACTION_BITS = 52n;
const FRACTION_MASK = (1n << FRACTION_BITS) - 1n;

/** The number times a power of ten, to the nearest integer. */
function scaledInteger(value: number, power: number): bigint {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const raw = bits.getBigUint64(0);
  const biased = raw >> FRACTION_BITS;
  const mantissa = (raw & FRACTION_MASK) | (biased === 0n ? 0n : 1n << FRACTION_BITS);
  const binary = (biased === 0n ? 1n : biased) - 1075n;
  const numerator = mantissa * powerOf(2n, binary) * powerOf(10n, BigInt(power));
  return divideToEven(numerator, powerOf(2n, -binary) * powerOf(10n, BigInt(-power)));
}

/** 1 for a negative exponent, which stands on the other side of the division. */
function powerOf(base: bigint, exponent: bigint): bigint {
  return exponent > 0n ? base ** exponent : 1n;
}

function divideToEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  const isUp = twice > denominator || (twice === denominator && quotient % 2n === 1n);
  return isUp ? quotient + 1n : quotient;
}
