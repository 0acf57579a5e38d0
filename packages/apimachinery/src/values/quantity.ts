/**
 * `resource.Quantity`: an exact decimal number with a suffix, such as `100m`, `1.5Gi` or `12e6`. Values are rounded up
 * to a nano, and those with a binary suffix are capped at 2^63-1, as upstream.
 */

export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

export interface Quantity {
  /** The value is `unscaled` times ten to the power of `exponent`. */
  readonly unscaled: bigint;
  readonly exponent: number;
  readonly format: QuantityFormat;
  /** The parsed text, where upstream's `String()` returns it unchanged. */
  readonly text?: string;
}

export type ParsedQuantity =
  | { readonly ok: true; readonly quantity: Quantity }
  | { readonly ok: false; readonly error: string };

export function parseQuantity(text: string): ParsedQuantity {
  if (text.length > charactersMax) return { ok: false, error: numericError };
  const parts = quantityParts.exec(text);
  if (text === '' || parts === null) return { ok: false, error: formatError };
  const [, sign = '', integer = '', point = '', fraction = '', suffixText = ''] = parts;
  const suffix = interpretSuffix(suffixText);
  if (suffix === undefined) return { ok: false, error: suffixError };
  // Upstream's fast path parses a lone sign or point as zero, its slow path fails.
  const digits = integer.replace(/^0+/, '');
  const number: Digits = { isNegative: sign === '-', integer: digits || '0', fraction };
  const isShort = takesFastPath(number, suffix);
  if (!isShort && integer === '' && fraction === '') return { ok: false, error: numericError };
  const isBare = suffixText === '' && point === '' && digits === '';
  const value = suffix.base === 2 ? binaryValue(number, suffix) : decimalValue(number, suffix);
  const format = value.isBelowOne && suffix.base === 2 ? 'DecimalSI' : suffix.format;
  const quantity = { unscaled: value.unscaled, exponent: value.exponent, format };
  const keepsText = isShort && !isBare && isCanonical(number, suffix);
  return { ok: true, quantity: keepsText ? { ...quantity, text } : quantity };
}

/** The canonical form: no fraction, and the largest suffix for which the number is whole. */
export function formatQuantity(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text;
  if (quantity.unscaled === 0n) return '0';
  return isWrittenBinary(quantity) ? formatBinary(quantity) : formatDecimal(quantity);
}

/** Negative, zero or positive. */
export function compareQuantities(one: Quantity, other: Quantity): number {
  const difference = sign(one.unscaled) - sign(other.unscaled);
  if (difference !== 0 || one.unscaled === 0n) return difference;
  // Powers of ten are computed only for numbers of similar magnitude: an exponent may be in the billions.
  const sizes = magnitude(one) - magnitude(other);
  if (sizes !== 0) return sizes * sign(one.unscaled);
  const [left, right] = aligned(one, other);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The sum has the format of the first, unless that is zero. Throws a RangeError when it has too many digits. */
export function addQuantities(one: Quantity, other: Quantity): Quantity {
  const format = one.unscaled === 0n ? other.format : one.format;
  if (other.unscaled === 0n) return { unscaled: one.unscaled, exponent: one.exponent, format };
  if (one.unscaled === 0n) return { unscaled: other.unscaled, exponent: other.exponent, format };
  const [left, right] = aligned(one, other);
  return { unscaled: left + right, exponent: Math.min(one.exponent, other.exponent), format };
}

export function subtractQuantities(one: Quantity, other: Quantity): Quantity {
  const { exponent, format } = other;
  return addQuantities(one, { unscaled: -other.unscaled, exponent, format });
}

const formatError =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const suffixError = "unable to parse quantity's suffix";
const numericError = 'unable to parse numeric part of quantity';

/** Looser than the expression in the message, as upstream: the digits are optional. */
const quantityParts = /^([-+]?)([0-9]*)(?:(\.)([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/;
/** Bounds the time of parsing; upstream has no limit. */
const charactersMax = 1_000;
const nano = -9;
/** Upstream parses numbers with more digits in its slow path. */
const shortDigits = 18;
const binaryMax = 2n ** 63n - 1n;
/** Bounds the powers of ten that are computed; sums of real quantities have fewer digits. */
const digitsMax = 10_000;

interface Suffix {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

interface Digits {
  readonly isNegative: boolean;
  /** Without leading zeros. */
  readonly integer: string;
  readonly fraction: string;
}

interface Value {
  readonly unscaled: bigint;
  readonly exponent: number;
  readonly isBelowOne: boolean;
}

const decimalSuffixes = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

function interpretSuffix(text: string): Suffix | undefined {
  const decimal = decimalSuffixes.get(text);
  if (decimal !== undefined) return { base: 10, exponent: decimal, format: 'DecimalSI' };
  const binary = binarySuffixes.indexOf(text);
  if (binary > 0) return { base: 2, exponent: binary * 10, format: 'BinarySI' };
  const [, digits] = /^[eE]([-+]?[0-9]+)$/.exec(text) ?? [];
  if (digits === undefined || digits.length > 40) return undefined;
  const exponent = BigInt(digits.replace('+', ''));
  if (BigInt.asIntN(64, exponent) !== exponent) return undefined;
  return {
    base: 10,
    exponent: Number(BigInt.asIntN(32, exponent)),
    format: 'DecimalExponent',
  };
}

/** Whether upstream parses the number in its fast path, whose results may keep their text. */
function takesFastPath({ integer, fraction }: Digits, { base, exponent }: Suffix): boolean {
  if (base === 10) {
    const fits = integer.length + fraction.length <= shortDigits;
    return fits && exponent - fraction.length >= nano;
  }
  const room = 15 - integer.length - Math.trunc((exponent * 3) / 10) - 1;
  return fraction === '' && room >= 0;
}

/** Upstream's cheap check for the canonical form, which also passes `1.500` and `+1`. */
function isCanonical({ integer, fraction }: Digits, { base, exponent }: Suffix): boolean {
  if (base === 2) return (BigInt(integer) & 7n) !== 0n;
  const digits = integer + fraction;
  const isThird = (exponent - fraction.length) % 3 === 0;
  return isThird && !digits.endsWith('000') && !digits.startsWith('0');
}

function decimalValue({ isNegative, integer, fraction }: Digits, suffix: Suffix): Value {
  const magnitudeOf = BigInt(integer + fraction);
  const rounded = roundUpToNano(magnitudeOf, suffix.exponent - fraction.length);
  return { ...rounded, unscaled: isNegative ? -rounded.unscaled : rounded.unscaled };
}

function binaryValue({ isNegative, integer, fraction }: Digits, suffix: Suffix): Value {
  const exact = BigInt(integer + fraction) << BigInt(suffix.exponent);
  const rounded = roundUpToNano(exact, -fraction.length);
  const scale = 10n ** BigInt(-rounded.exponent);
  const isCapped = rounded.unscaled > binaryMax * scale;
  const unscaled = isCapped ? binaryMax : rounded.unscaled;
  const exponent = isCapped ? 0 : rounded.exponent;
  const isBelowOne = unscaled > 0n && !isCapped && unscaled < scale;
  return { unscaled: isNegative ? -unscaled : unscaled, exponent, isBelowOne };
}

/** Rounds up, so that a request below one nano does not become zero. */
function roundUpToNano(unscaled: bigint, exponent: number): Value {
  const isBelowOne = false;
  if (unscaled === 0n) return { unscaled, exponent: 0, isBelowOne };
  if (exponent >= nano) return { unscaled, exponent, isBelowOne };
  const surplus = nano - exponent;
  if (surplus > String(unscaled).length) return { unscaled: 1n, exponent: nano, isBelowOne };
  const divisor = 10n ** BigInt(surplus);
  const quotient = (unscaled + divisor - 1n) / divisor;
  return { unscaled: quotient, exponent: nano, isBelowOne };
}

/** Numbers below 1024 or with a fraction have no exact form with a binary suffix. */
function isWrittenBinary({ unscaled, exponent, format }: Quantity): boolean {
  if (format !== 'BinarySI' || exponent > digitsMax) return false;
  const whole = wholeValue(unscaled, exponent);
  return whole !== undefined && (whole <= -1024n || whole >= 1024n);
}

function wholeValue(unscaled: bigint, exponent: number): bigint | undefined {
  if (exponent >= 0) return unscaled * 10n ** BigInt(exponent);
  const divisor = 10n ** BigInt(-exponent);
  return unscaled % divisor === 0n ? unscaled / divisor : undefined;
}

function formatBinary({ unscaled, exponent }: Quantity): string {
  let amount = wholeValue(unscaled, exponent) ?? 0n;
  let power = 0;
  while (amount % 1024n === 0n) {
    amount /= 1024n;
    power += 1;
  }
  return `${amount}${binarySuffixes[power] ?? ''}`;
}

/** A power of a thousand without a suffix prints none, as upstream. */
function formatDecimal({ unscaled, exponent, format }: Quantity): string {
  let power = exponent;
  let amount = unscaled;
  while (amount % 10n === 0n) {
    amount /= 10n;
    power += 1;
  }
  while (power % 3 !== 0) {
    amount *= 10n;
    power -= 1;
  }
  if (format === 'DecimalExponent') return power === 0 ? `${amount}` : `${amount}e${power}`;
  for (const [suffix, ofSuffix] of decimalSuffixes) {
    if (ofSuffix === power) return `${amount}${suffix}`;
  }
  return `${amount}`;
}

/** Both numbers with the smaller exponent of the two. */
function aligned(one: Quantity, other: Quantity): [bigint, bigint] {
  const exponent = Math.min(one.exponent, other.exponent);
  const shifts = [one.exponent - exponent, other.exponent - exponent];
  if (Math.max(...shifts) > digitsMax) throw new RangeError('the quantities are too far apart');
  return [
    one.unscaled * 10n ** BigInt(shifts[0] ?? 0),
    other.unscaled * 10n ** BigInt(shifts[1] ?? 0),
  ];
}

function magnitude({ unscaled, exponent }: Quantity): number {
  return String(unscaled).replace('-', '').length + exponent;
}

function sign(value: bigint): number {
  return value < 0n ? -1 : value > 0n ? 1 : 0;
}
