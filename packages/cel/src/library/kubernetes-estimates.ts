/** The estimated cost of calls, from the sizes known when an expression is compiled, by the name of the function. */
import {
  add,
  type CallEstimate,
  type EstimateInput,
  type EstimateNode,
  fixed,
  LIST_CREATE_COST,
  multiply,
  ONE,
  type Range,
  REGEX_LENGTH_FACTOR,
  STRING_TRAVERSAL_FACTOR,
  scale,
  ZERO,
} from '../declarations/estimate.ts';
import type { EstimateCost } from '../declarations/library.ts';
import {
  AUTHORIZATION_CHECK_COST,
  REQUIREMENT_COST,
  REQUIREMENTS_PER_CHARACTER,
} from './kubernetes-costs.ts';
import { replacedSize } from './replaced-size.ts';

/** The longest pattern that upstream assumes behind a named format. */
const FORMAT_PATTERN_SIZE = 128;
/** An address has 4 or 16 bytes. */
const ADDRESS_SIZE: Range = { min: 4n, max: 16n };

export const KUBERNETES_ESTIMATES: ReadonlyMap<string, EstimateCost> = new Map<
  string,
  EstimateCost
>([
  ['check', () => ({ cost: fixed(AUTHORIZATION_CHECK_COST) })],
  ...each(['fieldSelector', 'labelSelector'], ofArgument(selectorCost)),
  ...each(['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf'], estimateWalk),
  ...each(['url', 'jsonpatch.escapeKey'], ofArgument(walked, sameSize)),
  ...each(['lowerAscii', 'upperAscii', 'substring', 'trim'], ofTarget(walked, sameSize)),
  ['replace', estimateReplace],
  ['split', estimateSplit],
  ['join', estimateJoin],
  ...each(['find', 'findAll'], estimateFind),
  ...each(
    ['cidr', 'isIP', 'isCIDR', 'ip', 'quantity', 'isQuantity', 'semver', 'isSemver'],
    ofFirst(walked),
  ),
  ['ip.isCanonical', ofFirst((size) => scale(size, 2 * STRING_TRAVERSAL_FACTOR))],
  ['validate', ofFirst((size) => scale(walked(size), FORMAT_PATTERN_SIZE * REGEX_LENGTH_FACTOR))],
]);

/** Comparing within a network: both prefixes, and for a network within a network its mask too. */
export function estimateContains({ isNetwork, isText }: { isNetwork: boolean; isText: boolean }) {
  return ({ args: [other], sizeOf }: EstimateInput): CallEstimate | undefined => {
    if (other === undefined) return undefined;
    const prefixes = walked(add(ADDRESS_SIZE, ADDRESS_SIZE));
    const masked = isNetwork ? add(add(prefixes, walked(ADDRESS_SIZE)), ONE) : prefixes;
    return { cost: isText ? add(masked, walked(sizeOf(other))) : masked };
  };
}

function walked(size: Range): Range {
  return scale(size, STRING_TRAVERSAL_FACTOR);
}

function sameSize(size: Range): Range {
  return size;
}

function selectorCost(length: Range): Range {
  const requirements = scale(length, REQUIREMENTS_PER_CHARACTER);
  return add(add(fixed(LIST_CREATE_COST), walked(length)), scale(requirements, REQUIREMENT_COST));
}

type Sizing = (size: Range) => Range;

function estimate(size: Range, cost: Sizing, result: Sizing | undefined): CallEstimate {
  return { cost: cost(size), ...(result !== undefined && { resultSize: result(size) }) };
}

/** Of a function with just one argument. */
function ofArgument(cost: Sizing, result?: Sizing): EstimateCost {
  return ({ args: [first, second], sizeOf }) =>
    first === undefined || second !== undefined ? undefined : estimate(sizeOf(first), cost, result);
}

function ofFirst(cost: Sizing): EstimateCost {
  return ({ args: [first], sizeOf }) =>
    first === undefined ? undefined : estimate(sizeOf(first), cost, undefined);
}

function ofTarget(cost: Sizing, result: Sizing): EstimateCost {
  return ({ target, sizeOf }) =>
    target === undefined ? undefined : estimate(sizeOf(target), cost, result);
}

/** 1 for each element, and what it takes to look at the text of those that are text. */
function estimateWalk({ target, sizeOf, elementOf }: EstimateInput): CallEstimate | undefined {
  if (target === undefined) return undefined;
  const element = elementOf(target);
  if (element === undefined) return { cost: walked(sizeOf(target)) };
  const isText = element.type.kind === 'string' || element.type.kind === 'bytes';
  const each = isText ? add(ONE, walked(sizeOf(element))) : ONE;
  return { cost: multiply(sizeOf(target), each) };
}

function estimateReplace({ target, args, sizeOf }: EstimateInput): CallEstimate | undefined {
  const [what, by] = args;
  if (target === undefined || what === undefined || by === undefined) return undefined;
  const size = sizeOf(target);
  return {
    cost: scale(size, 2 * STRING_TRAVERSAL_FACTOR),
    resultSize: replacedSize(size, sizeOf(what), sizeOf(by)),
  };
}

/** Split at every place there are as many parts as characters, unless their number is said. */
function estimateSplit({ target, args, sizeOf }: EstimateInput): CallEstimate | undefined {
  if (target === undefined) return undefined;
  const size = sizeOf(target);
  const limit = args[1]?.literal;
  const max = typeof limit === 'bigint' ? BigInt.asUintN(64, limit) : size.max;
  return { cost: scale(size, 2 * STRING_TRAVERSAL_FACTOR), resultSize: { min: 0n, max } };
}

function estimateJoin(input: EstimateInput): CallEstimate | undefined {
  const { target, args, sizeOf, elementOf } = input;
  if (target === undefined) return undefined;
  const count = sizeOf(target);
  const element = elementOf(target);
  const content = element === undefined ? ZERO : multiply(count, sizeOf(element));
  const size = add(content, separatorsSize(count, args[0], sizeOf));
  return { cost: walked(size), resultSize: size };
}

function separatorsSize(
  { min, max }: Range,
  separator: EstimateNode | undefined,
  sizeOf: EstimateInput['sizeOf'],
): Range {
  if (separator === undefined) return ZERO;
  const between = { min: min > 0n ? min - 1n : 0n, max: max > 0n ? max - 1n : 0n };
  return multiply(sizeOf(separator), between);
}

function estimateFind({ target, args, sizeOf }: EstimateInput): CallEstimate | undefined {
  const [pattern] = args;
  if (target === undefined || pattern === undefined) return undefined;
  const size = sizeOf(target);
  const patternCost = scale(sizeOf(pattern), REGEX_LENGTH_FACTOR);
  return {
    cost: multiply(walked(add(size, ONE)), patternCost),
    resultSize: { min: 0n, max: size.max },
  };
}

function each(names: readonly string[], cost: EstimateCost): (readonly [string, EstimateCost])[] {
  return names.map((name) => [name, cost] as const);
}
