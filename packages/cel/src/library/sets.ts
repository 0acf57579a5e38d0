/** cel-go's sets extension: lists as sets. */
import {
  add,
  type CallEstimate,
  type EstimateInput,
  multiply,
  ONE,
  scale,
} from '../declarations/estimate.ts';
import type { FunctionDeclaration, Library } from '../declarations/library.ts';
import { contains } from '../values/equality.ts';
import { CelError } from '../values/errors.ts';
import { BOOL, listOf, typeParameter } from '../values/types.ts';
import { type ListValue, type Result, type Step, sizeOf } from '../values/value.ts';
import { declare, global, refuseBeyondBudget } from './declare.ts';

const LIST = listOf(typeParameter('T'));

export const SETS: Library = {
  name: 'cel.lib.ext.sets',
  functions: [
    setFunction('contains', 1, containsAll),
    setFunction('equivalent', 2, (one, other, step) => {
      const first = containsAll(one, other, step);
      return first === true ? containsAll(other, one, step) : first;
    }),
    setFunction('intersects', 1, intersects),
  ],
};

/** Every element of the one is compared with every element of the other, for equivalence twice. */
function setFunction(
  name: string,
  factor: number,
  test: (one: ListValue, other: ListValue, step: Step) => Result,
): FunctionDeclaration {
  const cost = ([one, other]: readonly Result[]): number =>
    1 + Math.trunc(sizeOf(one ?? null) * sizeOf(other ?? null) * factor);
  return declare(`sets.${name}`, {
    ...global(`list_sets_${name}_list`, [LIST, LIST], BOOL, ([one, other], step) => {
      refuseBeyondBudget(cost([one ?? null, other ?? null]));
      return test(one as ListValue, other as ListValue, step);
    }),
    actualCost: cost,
    estimateCost: (input) => estimate(input, factor),
  });
}

function estimate(
  { args, sizeOf: sizeOfNode }: EstimateInput,
  factor: number,
): CallEstimate | undefined {
  const [one, other] = args;
  if (one === undefined || other === undefined) return undefined;
  return { cost: add(scale(multiply(sizeOfNode(one), sizeOfNode(other)), factor), ONE) };
}

function containsAll(list: ListValue, part: ListValue, step: Step): Result {
  for (let index = 0; index < part.size; index++) {
    const element = part.at(index);
    if (element instanceof CelError) return element;
    const found = contains(list, element, step);
    if (found !== true) return found;
  }
  return true;
}

function intersects(one: ListValue, other: ListValue, step: Step): Result {
  for (let index = 0; index < one.size; index++) {
    const element = one.at(index);
    if (element instanceof CelError) return element;
    if (contains(other, element, step) === true) return true;
  }
  return false;
}
