import { add, MAX_UINT64, multiply, type Range } from '../declarations/estimate.ts';

/** How long a text may be in which one part is replaced by another everywhere. */
export function replacedSize(text: Range, what: Range, by: Range): Range {
  const longest = most(text.max, what.min, by.max);
  const shortest = least(text.min, what.max, by.min);
  const count = { min: shortest.count, max: longest.count };
  return add(multiply(count, by), { min: shortest.retained, max: longest.retained });
}

interface Replaced {
  readonly count: bigint;
  /** Characters that stay. */
  readonly retained: bigint;
}

/** Nothing is found around every character; otherwise the smallest parts as often as they fit. */
function most(size: bigint, part: bigint, replacement: bigint): Replaced {
  if (part === 0n) return { count: size < MAX_UINT64 ? size + 1n : size, retained: size };
  if (replacement <= part) return { count: 0n, retained: size };
  return { count: dividedUp(size, part), retained: 0n };
}

function least(size: bigint, part: bigint, replacement: bigint): Replaced {
  if (part === 0n) return { count: size < MAX_UINT64 ? size + 1n : size, retained: size };
  if (part <= replacement) return { count: 0n, retained: size };
  return { count: dividedUp(size, part), retained: 0n };
}

/** In doubles, as upstream divides. */
function dividedUp(size: bigint, part: bigint): bigint {
  const quotient = BigInt(Math.ceil(Number(size) / Number(part)));
  if (quotient > MAX_UINT64) return MAX_UINT64;
  return quotient;
}
