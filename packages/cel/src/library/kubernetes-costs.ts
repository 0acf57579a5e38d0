/** The actual cost of calls, by the name of the function, as Kubernetes counts. */
import {
  LIST_CREATE_COST,
  REGEX_LENGTH_FACTOR,
  STRING_TRAVERSAL_FACTOR,
  STRUCT_CREATE_COST,
  traversalCost,
} from '../declarations/estimate.ts';
import type { ActualCost } from '../declarations/library.ts';
import { CelError } from '../values/errors.ts';
import { isList, isMap, type Result, sizeOf } from '../values/value.ts';

/** Two of them fit into the budget of an expression. */
export const AUTHORIZATION_CHECK_COST = 350_000;
/** The shortest requirement of a selector is a name and a comma. */
export const REQUIREMENTS_PER_CHARACTER = 0.5;
export const REQUIREMENT_COST = LIST_CREATE_COST + STRUCT_CREATE_COST;

const twice = 2 * STRING_TRAVERSAL_FACTOR;

export const KUBERNETES_COSTS: ReadonlyMap<string, ActualCost> = new Map<string, ActualCost>([
  ['check', () => AUTHORIZATION_CHECK_COST],
  ...each(['fieldSelector', 'labelSelector'], ([, selector]) => selectorCost(size(selector))),
  ...each(['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf'], ([first]) =>
    first === undefined ? 0 : dataCost(first),
  ),
  ...each(
    ['url', 'lowerAscii', 'upperAscii', 'substring', 'trim', 'jsonpatch.escapeKey'],
    ([text]) => traversalCost(size(text)),
  ),
  ...each(['replace', 'split'], ([text]) => traversalCost(size(text), twice)),
  ['join', (_, result) => traversalCost(size(result), twice)],
  ...each(['find', 'findAll'], ([text, pattern]) => regexCost(size(text), size(pattern))),
  ...each(
    ['cidr', 'isIP', 'isCIDR', 'ip', 'quantity', 'isQuantity', 'semver', 'isSemver'],
    ([text]) => traversalCost(size(text)),
  ),
  ['ip.isCanonical', ([text]) => traversalCost(size(text), twice)],
]);

/** A pattern over a text of a size, as for `matches`. */
export function regexCost(textSize: number, patternSize: number): number {
  return traversalCost(1 + textSize) * traversalCost(patternSize, REGEX_LENGTH_FACTOR);
}

function selectorCost(length: number): number {
  const requirements = Math.ceil(length * REQUIREMENTS_PER_CHARACTER);
  return LIST_CREATE_COST + traversalCost(length) + requirements * REQUIREMENT_COST;
}

/** Walking over data once: every text by its bytes, everything else 1. */
function dataCost(value: Result): number {
  if (typeof value === 'string') {
    return Math.trunc(Buffer.byteLength(value) * STRING_TRAVERSAL_FACTOR);
  }
  if (value instanceof Uint8Array) return Math.trunc(value.length * STRING_TRAVERSAL_FACTOR);
  if (value instanceof CelError) return 1;
  if (isList(value)) {
    let cost = 0;
    for (let index = 0; index < value.size; index++) cost += dataCost(value.at(index));
    return cost;
  }
  if (!isMap(value)) return 1;
  let cost = 0;
  for (const key of value.keys()) cost += dataCost(key) + dataCost(value.get(key) ?? null);
  return cost;
}

function size(value: Result | undefined): number {
  return value === undefined ? 1 : sizeOf(value);
}

function each(names: readonly string[], cost: ActualCost): (readonly [string, ActualCost])[] {
  return names.map((name) => [name, cost] as const);
}
