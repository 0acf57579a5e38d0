import type { Type } from '../values/types.ts';
import { type Result, sizeOf, type Value } from '../values/value.ts';

/** A range of sizes or of costs; unsigned 64-bit numbers that saturate instead of overflowing. */
export interface Range {
  readonly min: bigint;
  readonly max: bigint;
}

/** The cost of a call, and the size of its result where that is a string, bytes, list or map. */
export interface CallEstimate {
  readonly cost: Range;
  readonly resultSize?: Range;
}

/** An expression as the estimation of a call sees it. */
export interface EstimateNode {
  readonly type: Type;
  /** From a variable through fields, `@items`, `@keys`, `@values`; undefined when not from a variable. */
  readonly path: readonly string[] | undefined;
  /** The value, where the text says it. */
  readonly literal: Value | undefined;
  /** The size as the expression or the schema gives it; undefined when nothing bounds it. */
  readonly size: Range | undefined;
}

export interface EstimateInput {
  readonly target: EstimateNode | undefined;
  /** Without the target. */
  readonly args: readonly EstimateNode[];
  /** The size of a node, `UNKNOWN` where nothing bounds it. */
  sizeOf(node: EstimateNode): Range;
  /** The elements of a list as a node of their own; undefined for what has no type parameter. */
  elementOf(list: EstimateNode): EstimateNode | undefined;
}

/** The bounds of data: from a path through a schema to the size of its value. */
export type SizesByPath = (path: readonly string[]) => Range | undefined;

export const MAX_UINT64 = 2n ** 64n - 1n;

/** Upstream's factors: per character of a string, and per character of a pattern. */
export const STRING_TRAVERSAL_FACTOR = 0.1;
export const REGEX_LENGTH_FACTOR = 0.25;
export const LIST_CREATE_COST = 10;
export const MAP_CREATE_COST = 30;
export const STRUCT_CREATE_COST = 40;

export const ZERO: Range = { min: 0n, max: 0n };
export const ONE: Range = { min: 1n, max: 1n };
export const UNKNOWN: Range = { min: 0n, max: MAX_UINT64 };

export function fixed(size: bigint | number): Range {
  const exact = BigInt(size);
  return { min: exact, max: exact };
}

export function add(left: Range, right: Range): Range {
  return { min: saturate(left.min + right.min), max: saturate(left.max + right.max) };
}

export function sum(costs: readonly Range[]): Range {
  return costs.reduce(add, ZERO);
}

export function multiply(left: Range, right: Range): Range {
  return { min: saturate(left.min * right.min), max: saturate(left.max * right.max) };
}

/** Both ends times a factor, rounded up; in doubles, as upstream computes it. */
export function scale(range: Range, factor: number): Range {
  return { min: scaleOne(range.min, factor), max: scaleOne(range.max, factor) };
}

export function union(left: Range, right: Range): Range {
  return { min: smaller(left.min, right.min), max: larger(left.max, right.max) };
}

export function smaller(left: bigint, right: bigint): bigint {
  if (left < right) {
    return left;
  }
  return right;
}

export function larger(left: bigint, right: bigint): bigint {
  if (left > right) {
    return left;
  }
  return right;
}

const TWO_TO_64 = 2 ** 64;

function scaleOne(size: bigint, factor: number): bigint {
  const approximate = Number(size);
  if (approximate > 0 && factor > 0 && approximate > TWO_TO_64 / factor) {
    return MAX_UINT64;
  }
  const product = Math.ceil(approximate * factor);
  return product >= TWO_TO_64 ? MAX_UINT64 : BigInt(product);
}

function saturate(value: bigint): bigint {
  return value > MAX_UINT64 ? MAX_UINT64 : value;
}

/** The run-time cost of walking over so many characters. */
export function traversalCost(size: number, factor = STRING_TRAVERSAL_FACTOR): number {
  return Math.ceil(size * factor);
}

/** Up to this many characters cost 1 to compare. */
const CHARACTERS_PER_UNIT = 10;

/** A tenth of the smaller of two sizes. */
export function comparisonCost(left: Result, right: Result): number {
  if (typeof left === 'string' && typeof right === 'string') {
    // Short texts, which most are, need no counting of code points.
    const shorter = Math.min(left.length, right.length);
    if (shorter <= CHARACTERS_PER_UNIT) {
      return shorter === 0 ? 0 : 1;
    }
  }
  return traversalCost(Math.min(sizeOf(left), sizeOf(right)));
}
