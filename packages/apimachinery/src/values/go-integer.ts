import { goQuote } from './go-quote.ts';

/** A parsed integer, or the message of Go's `strconv`. */
export type GoInteger =
  | { readonly ok: true; readonly value: bigint }
  | { readonly ok: false; readonly message: string };

/** `strconv.ParseInt(text, 10, 64)`. */
export function parseGoInt64(text: string): GoInteger {
  if (!/^[+-]?[0-9]+$/.test(text)) return failure('ParseInt', text, 'invalid syntax');
  return inRange('ParseInt', text, { min: -(2n ** 63n), max: 2n ** 63n - 1n });
}

/** `strconv.ParseUint(text, 10, 64)`. */
export function parseGoUint64(text: string): GoInteger {
  if (!/^[0-9]+$/.test(text)) return failure('ParseUint', text, 'invalid syntax');
  return inRange('ParseUint', text, { min: 0n, max: 2n ** 64n - 1n });
}

/** The digits of the largest 64-bit integer; converting longer text would take more than linear time. */
const digitsMax = 20;

function inRange(name: string, text: string, range: { min: bigint; max: bigint }): GoInteger {
  const digits = text.replace(/^[+-]?0*/, '');
  if (digits.length > digitsMax) return failure(name, text, 'value out of range');
  const magnitude = BigInt(digits === '' ? '0' : digits);
  const value = text.startsWith('-') ? -magnitude : magnitude;
  if (value < range.min || value > range.max) return failure(name, text, 'value out of range');
  return { ok: true, value };
}

function failure(name: string, text: string, problem: string): GoInteger {
  return { ok: false, message: `strconv.${name}: parsing ${goQuote(text)}: ${problem}` };
}
