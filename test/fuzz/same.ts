import { isDeepStrictEqual } from 'node:util';

/**
 * A zero that is negative is written as any other, and a large double without a fraction is read again as an integer: here
 * as upstream.
 */
export function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(withoutSigns(one), withoutSigns(other));
}

function withoutSigns(value: unknown): unknown {
  if (value === 0) return 0;
  if (isWrittenAsInteger(value)) return BigInt(String(value));
  if (Array.isArray(value)) return value.map(withoutSigns);
  if (value instanceof Map)
    return new Map([...value].map(([key, member]) => [key, withoutSigns(member)]));
  if (typeof value !== 'object' || value === null) return value;
  return new Map(Object.entries(value).map(([key, member]) => [key, withoutSigns(member)]));
}

function isWrittenAsInteger(value: unknown): value is number {
  return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(Number(value)) < 1e21;
}
