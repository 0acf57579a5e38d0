/**
 * The work of functions that take much longer than what is counted for them, in steps of `Frame.step`: a step takes about
 * as long as a unit of cost. Upstream counts 1 for reading an address as it does for adding two numbers.
 */
import type { Call } from '../declarations/library.ts';
import { isList, type Result, type Value } from '../values/value.ts';

interface Work {
  readonly call: number;
  /** For each character of the first argument. */
  readonly character?: number;
  /** For each element of the first argument. */
  readonly element?: number;
  /** For each element of the list that it makes. */
  readonly result?: number;
}

const READING: Work = { call: 80, character: 3 };
const COMPARING: Work = { call: 40 };

const WORK: ReadonlyMap<string, Work> = new Map<string, Work>([
  ['url', { call: 60, character: 6 }],
  ['isURL', { call: 60, character: 6 }],
  ['ip', { call: 80, character: 2 }],
  ['isIP', { call: 80, character: 2 }],
  ['ip.isCanonical', { call: 120, character: 2 }],
  ['cidr', { call: 100, character: 2 }],
  ['isCIDR', { call: 100, character: 2 }],
  ['containsIP', { call: 100 }],
  ['containsCIDR', { call: 120 }],
  ['quantity', READING],
  ['isQuantity', READING],
  ['semver', READING],
  ['isSemver', READING],
  ['timestamp', { call: 150, character: 3 }],
  ['duration', { call: 150, character: 3 }],
  ['validate', READING],
  ['add', COMPARING],
  ['sub', COMPARING],
  ['compareTo', COMPARING],
  ['isLessThan', COMPARING],
  ['isGreaterThan', COMPARING],
  ['asInteger', COMPARING],
  ['isInteger', COMPARING],
  ['asApproximateFloat', COMPARING],
  ['sign', { call: 10 }],
  ['string', { call: 40 }],
  ['double', { call: 4 }],
  ['split', { call: 4, character: 1 }],
  ['join', { call: 4, element: 2 }],
  ['cel.@mapInsert', { call: 40 }],
  ['flatten', { call: 4, result: 4 }],
]);

/** A call that is counted, before it is made where that is possible: nothing else runs while it does. */
export function withWork(name: string, invoke: Call): Call {
  const work = WORK.get(name);
  if (work === undefined) return invoke;
  const { result: perElement = 0 } = work;
  return (args, step) => {
    step(workBefore(work, args[0]));
    const result = invoke(args, step);
    if (perElement > 0) step(perElement * elementsIn(result));
    return result;
  };
}

function workBefore({ call, character = 0, element = 0 }: Work, first: Value | undefined): number {
  if (typeof first === 'string') return call + character * first.length;
  return element === 0 ? call : call + element * elementsIn(first);
}

function elementsIn(value: Result | undefined): number {
  return isList(value) ? value.size : 0;
}
