import {
  add,
  type CallEstimate,
  type EstimateInput,
  type EstimateNode,
  fixed,
  LIST_CREATE_COST,
  MAX_UINT64,
  multiply,
  ONE,
  type Range,
  STRING_TRAVERSAL_FACTOR,
  scale,
} from '../declarations/estimate.ts';
import type { EstimateCost } from '../declarations/library.ts';
import type { Type } from '../values/types.ts';

/** As many as are asked for, by numbers that are written out; by the size of the list otherwise. */
export const estimateSlice: EstimateCost = ({ target, args: [start, end], sizeOf }) => {
  if (target === undefined || start === undefined || end === undefined) return undefined;
  const size = numberOf(end, sizeOf(target).max) - numberOf(start, 0n);
  return listEstimate(1, fixed(BigInt.asUintN(64, size)));
};

export const estimateRange: EstimateCost = ({ target, args: [count] }) =>
  target !== undefined || count === undefined
    ? undefined
    : listEstimate(1, fixed(numberOf(count, MAX_UINT64)));

export const estimateReverse: EstimateCost = ({ target, sizeOf }) =>
  target === undefined ? undefined : listEstimate(1, sizeOf(target));

export const estimateFlatten: EstimateCost = ({ target, args: [depth], sizeOf }) => {
  if (target === undefined) return undefined;
  const factor = depth === undefined ? 1n : numberOf(depth, MAX_UINT64);
  return listEstimate(Number(factor), sizeOf(target));
};

export const estimateDistinct: EstimateCost = ({ target, sizeOf }) =>
  target === undefined ? undefined : squareEstimate(2, sizeOf(target));

export function estimateSort(type: Type): EstimateCost {
  return ({ target, args, sizeOf }) =>
    target === undefined || args.length !== 0 ? undefined : sortEstimate(target, type, sizeOf);
}

export function estimateSortBy(type: Type): EstimateCost {
  return ({ target, args: [keys], sizeOf }) =>
    target === undefined || keys === undefined ? undefined : sortEstimate(keys, type, sizeOf);
}

function sortEstimate(
  keys: EstimateNode,
  type: Type,
  sizeOf: EstimateInput['sizeOf'],
): CallEstimate {
  const isText = type.kind === 'string' || type.kind === 'bytes';
  return squareEstimate(isText ? 2 + STRING_TRAVERSAL_FACTOR : 2, sizeOf(keys));
}

function squareEstimate(factor: number, size: Range): CallEstimate {
  return listEstimate(factor, multiply(size, size));
}

/** Upstream takes what it multiplies for the size of the result too. */
function listEstimate(factor: number, size: Range): CallEstimate {
  const cost = add(add(scale(size, factor), ONE), fixed(LIST_CREATE_COST));
  return { cost, resultSize: size };
}

function numberOf({ literal }: EstimateNode, otherwise: bigint): bigint {
  if (typeof literal !== 'bigint') return otherwise;
  return literal < 0n ? 0n : literal;
}
