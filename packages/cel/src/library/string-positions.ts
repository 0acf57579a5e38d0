/** Positions in strings count code points, where JavaScript counts halves of some. */
import { celError } from '../values/errors.ts';
import { codePoints, type Result } from '../values/value.ts';

const SURROGATE = /[\ud800-\udfff]/;

/** In most texts both count the same, and finding that out takes no time. */
function isPlain(text: string): boolean {
  return !SURROGATE.test(text);
}

/** How many code points there are. */
export function pointCount(text: string): number {
  return isPlain(text) ? text.length : codePoints(text);
}

/** The UTF-16 position of a code point; there are at least as many. */
export function pointToUnit(text: string, point: number): number {
  if (isPlain(text)) return point;
  let unit = 0;
  for (let index = 0; index < point; index++) {
    unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
  }
  return unit;
}

/** -1 when there is none. The empty string is found at the offset, or at the end of the text. */
export function indexOf(text: string, part: string, from: bigint): Result {
  if (from < 0n) return celError(`index out of range: ${from}`);
  const size = pointCount(text);
  if (part === '') return from > size ? BigInt(size) : from;
  if (from >= size) return -1n;
  return pointAt(text, text.indexOf(part, pointToUnit(text, Number(from))));
}

/** From the end of the text when no place is said. */
export function lastIndexOf(text: string, part: string, from: bigint | undefined): Result {
  const size = pointCount(text);
  if (from !== undefined && from < 0n) return celError(`index out of range: ${from}`);
  if (part === '') return from === undefined || from > size ? BigInt(size) : from;
  if (from === undefined) return pointAt(text, text.lastIndexOf(part));
  if (from >= size) return -1n;
  return pointAt(text, text.lastIndexOf(part, pointToUnit(text, Number(from))));
}

function pointAt(text: string, unit: number): bigint {
  return unit < 0 ? -1n : BigInt(pointCount(text.slice(0, unit)));
}
