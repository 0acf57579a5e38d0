import {
  add,
  type CallEstimate,
  type EstimateNode,
  fixed,
  multiply,
  ONE,
  type Range,
  REGEX_LENGTH_FACTOR,
  STRING_TRAVERSAL_FACTOR,
  scale,
  smaller,
  sum,
  UNKNOWN,
  union,
} from '../declarations/estimate.ts';
import type { Expression } from '../syntax/expression.ts';
import { runtimeName, type Type } from '../values/types.ts';

/** The sizes of the elements of a list or of the keys and values of a map. */
export interface EntrySize {
  readonly container: 'list' | 'map';
  readonly key: Range;
  readonly value: Range;
}

/** The known entry sizes of expressions. */
export interface EntrySizes {
  entrySize(expression: Expression): EntrySize | undefined;
  setEntrySize(expression: Expression, size: EntrySize | undefined): void;
}

/** A call of the standard library, and what its parts cost. */
export interface StandardCall {
  readonly expression: Expression & { kind: 'call' };
  readonly target: EstimateNode | undefined;
  readonly args: readonly EstimateNode[];
  readonly costs: readonly Range[];
  readonly entrySizes: EntrySizes;
}

/** The cost of a call of the standard library, by overload; every other call costs 1. */
export function standardCallEstimate(id: string, call: StandardCall): CallEstimate {
  const { target, args, costs } = call;
  const [first, second] = args;
  const total = sum(costs);
  const traversal = (size: Range) => add(scale(size, STRING_TRAVERSAL_FACTOR), total);
  switch (id) {
    case 'string_to_bytes': {
      const size = sizeOf(first);
      // At most four bytes a character; upstream's product wraps at 64 bits.
      const max = BigInt.asUintN(64, size.max * 4n);
      return { cost: traversal(size), resultSize: { min: size.min, max } };
    }
    case 'bytes_to_string': {
      const size = sizeOf(first);
      return { cost: traversal(size), resultSize: { min: size.min / 4n, max: size.max } };
    }
    case 'starts_with_string':
    case 'ends_with_string':
      return { cost: traversal(sizeOf(first)) };
    case 'in_list':
      return { cost: add(scale(sizeOf(second), 1), total) };
    case 'matches_string':
      return { cost: add(matchCost(sizeOf(target), sizeOf(first)), total) };
    case 'contains_string': {
      const [text, part] = [sizeOf(target), sizeOf(first)].map((size) =>
        scale(size, STRING_TRAVERSAL_FACTOR),
      ) as [Range, Range];
      return { cost: add(multiply(text, part), total) };
    }
    case 'logical_or':
    case 'logical_and':
      return { cost: { min: costs[0]?.min ?? 0n, max: total.max } };
    case 'conditional':
      return conditionalEstimate(call);
    case 'add_string':
    case 'add_bytes':
    case 'add_list':
      return additionEstimate(id, call, total);
    default:
      return isComparison(id) ? comparisonEstimate(id, call, total) : { cost: add(ONE, total) };
  }
}

function sizeOf(node: EstimateNode | undefined): Range {
  return node?.size ?? UNKNOWN;
}

/** The text and the end of it, times the pattern, whose steps are taken to be four characters each. */
export function matchCost(text: Range, pattern: Range): Range {
  return multiply(
    scale(add(text, ONE), STRING_TRAVERSAL_FACTOR),
    scale(pattern, REGEX_LENGTH_FACTOR),
  );
}

function conditionalEstimate({ expression, args, costs, entrySizes }: StandardCall): CallEstimate {
  const [, yes, no] = expression.args;
  if (yes !== undefined && no !== undefined) {
    entrySizes.setEntrySize(
      expression,
      unionEntries(entrySizes.entrySize(yes), entrySizes.entrySize(no)),
    );
  }
  const [condition = fixed(0), yesCost = fixed(0), noCost = fixed(0)] = costs;
  return {
    cost: add(condition, union(yesCost, noCost)),
    resultSize: union(sizeOf(args[1]), sizeOf(args[2])),
  };
}

function additionEstimate(
  id: string,
  { expression, args, entrySizes }: StandardCall,
  total: Range,
): CallEstimate {
  const [left, right] = expression.args;
  if (left !== undefined && right !== undefined) {
    entrySizes.setEntrySize(
      expression,
      unionEntries(entrySizes.entrySize(left), entrySizes.entrySize(right)),
    );
  }
  const resultSize = add(sizeOf(args[0]), sizeOf(args[1]));
  const own = id === 'add_list' ? ONE : scale(resultSize, STRING_TRAVERSAL_FACTOR);
  return { cost: add(own, total), resultSize };
}

function unionEntries(
  left: EntrySize | undefined,
  right: EntrySize | undefined,
): EntrySize | undefined {
  return (
    left &&
    right && {
      container: left.container,
      key: union(left.key, right.key),
      value: union(left.value, right.value),
    }
  );
}

function isComparison(id: string): boolean {
  return /^(equals|not_equals|(less|greater)(_equals)?_(string|bytes))$/.test(id);
}

function comparisonEstimate(id: string, { args }: StandardCall, total: Range): CallEstimate {
  const [left, right] = args;
  const own = id === 'equals' ? ownEqualityEstimate(left, right) : undefined;
  if (own !== undefined) {
    return { cost: add(own, total) };
  }
  const max = smaller(sizeOf(left).max, sizeOf(right).max);
  const compared: Range = { min: max > 0n ? 1n : 0n, max };
  return { cost: add(scale(compared, STRING_TRAVERSAL_FACTOR), total) };
}

/** Types whose values are compared at once. */
const COMPARED_AT_ONCE: ReadonlySet<string> = new Set([
  'net.IP',
  'net.CIDR',
  'kubernetes.Quantity',
  'kubernetes.Semver',
  'kubernetes.authorization.Authorizer',
  'kubernetes.authorization.PathCheck',
  'kubernetes.authorization.GroupCheck',
  'kubernetes.authorization.ResourceCheck',
  'kubernetes.authorization.Decision',
]);

/** The longest name of a format, in characters. */
const FORMAT_SIZE_MAX = 64n;

/** Kubernetes' estimates for values of its own types. */
function ownEqualityEstimate(
  left: EstimateNode | undefined,
  right: EstimateNode | undefined,
): Range | undefined {
  if (left === undefined || right === undefined || !isOwnType(left.type)) {
    return undefined;
  }
  const name = runtimeName(left.type);
  if (name !== runtimeName(right.type)) {
    return undefined;
  }
  if (COMPARED_AT_ONCE.has(name)) {
    return ONE;
  }
  switch (name) {
    case 'kubernetes.NamedFormat':
      return scale({ min: 1n, max: FORMAT_SIZE_MAX }, STRING_TRAVERSAL_FACTOR);
    case 'kubernetes.URL':
      return scale({ min: 1n, max: right.size?.max ?? 1n }, STRING_TRAVERSAL_FACTOR);
    default:
      return undefined;
  }
}

function isOwnType(type: Type): boolean {
  return type.kind === 'object' || type.kind === 'opaque';
}
