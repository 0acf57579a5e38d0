import { goTimeQuote } from './go-quote.ts';

export type GoDuration =
  | { readonly ok: true; readonly nanoseconds: bigint; readonly milliseconds: number }
  | { readonly ok: false; readonly message: string };

/** Go's `time.ParseDuration`: `300ms`, `-1.5h`, `2h45m`. */
export function parseGoDuration(text: string): GoDuration {
  const negative = text.startsWith('-');
  const unsigned = text.replace(/^[+-]/, '');
  if (unsigned === '0') return duration(0n);
  if (unsigned === '') return invalidDuration(text);
  let total = 0n;
  let rest = unsigned;
  while (rest !== '') {
    const [match = '', whole = '', fraction = ''] = leadingNumber.exec(rest) ?? [];
    if (whole === '' && fraction === '') return invalidDuration(text);
    if (whole.length > digitsMax || BigInt(whole || '0') > limit) return invalidDuration(text);
    rest = rest.slice(match.length);
    const [unit = ''] = unitName.exec(rest) ?? [];
    rest = rest.slice(unit.length);
    if (unit === '') return failure(`missing unit in duration ${goTimeQuote(text)}`);
    const scale = units.get(unit);
    if (scale === undefined) {
      return failure(`unknown unit ${goTimeQuote(unit)} in duration ${goTimeQuote(text)}`);
    }
    total += BigInt(whole || '0') * scale + fractionOf(fraction, scale);
    if (total > limit) return invalidDuration(text);
  }
  if (!negative && total === limit) return invalidDuration(text);
  return duration(negative ? -total : total);
}

/** Go's `Duration.String()`: `1h15m30.918s`, `1.5ms`, `0s`. */
export function formatGoDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  const sign = nanoseconds < 0n ? '-' : '';
  const magnitude = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  return sign + (magnitude < second ? formatBelowSecond(magnitude) : formatFromSecond(magnitude));
}

const second = 1_000_000_000n;
const units: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1000n],
  ['µs', 1000n],
  ['μs', 1000n],
  ['ms', 1_000_000n],
  ['s', second],
  ['m', 60n * second],
  ['h', 3600n * second],
]);
/** The magnitude of the smallest int64; a positive duration must be below it. */
const limit = 2n ** 63n;
const digitsMax = 40;
const leadingNumber = /^([0-9]*)(?:\.([0-9]*))?/;
const unitName = /^[^.0-9]+/;

/** Go computes the fraction in floating point and truncates it to nanoseconds. */
function fractionOf(digits: string, scale: bigint): bigint {
  if (digits === '') return 0n;
  let value = 0n;
  let divisor = 1;
  for (const digit of digits) {
    const next = value * 10n + BigInt(digit);
    if (next >= limit) break;
    value = next;
    divisor *= 10;
  }
  return BigInt(Math.trunc(Number(value) * (Number(scale) / divisor)));
}

function formatBelowSecond(magnitude: bigint): string {
  if (magnitude < 1000n) return `${magnitude}ns`;
  if (magnitude < 1_000_000n) return `${decimal(magnitude, 1000n)}µs`;
  return `${decimal(magnitude, 1_000_000n)}ms`;
}

function formatFromSecond(magnitude: bigint): string {
  const seconds = decimal(magnitude % (60n * second), second);
  const minutes = (magnitude / (60n * second)) % 60n;
  const hours = magnitude / (3600n * second);
  if (hours > 0n) return `${hours}h${minutes}m${seconds}s`;
  return minutes > 0n ? `${minutes}m${seconds}s` : `${seconds}s`;
}

function decimal(value: bigint, scale: bigint): string {
  const width = scale.toString().length - 1;
  const fraction = (value % scale).toString().padStart(width, '0').replace(/0+$/, '');
  return fraction === '' ? `${value / scale}` : `${value / scale}.${fraction}`;
}

function duration(nanoseconds: bigint): GoDuration {
  return { ok: true, nanoseconds, milliseconds: Number(nanoseconds) / 1e6 };
}

function invalidDuration(text: string): GoDuration {
  return failure(`invalid duration ${goTimeQuote(text)}`);
}

function failure(problem: string): GoDuration {
  return { ok: false, message: `time: ${problem}` };
}
