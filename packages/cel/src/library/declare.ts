/** Short forms for libraries: a function with its overloads, and what upstream counts for one of its name. */

import type { Call, FunctionDeclaration, Overload } from '../declarations/library.ts';
import { CostLimitExceeded } from '../values/errors.ts';
import type { Type } from '../values/types.ts';
import { KUBERNETES_COSTS } from './kubernetes-costs.ts';
import { KUBERNETES_ESTIMATES } from './kubernetes-estimates.ts';

type Signature = readonly [id: string, parameters: readonly Type[], result: Type, call: Call];

/** Costs come by the name of the function, whichever library it is of. */
export function declare(name: string, ...overloads: readonly Overload[]): FunctionDeclaration {
  const actualCost = KUBERNETES_COSTS.get(name);
  const estimateCost = KUBERNETES_ESTIMATES.get(name);
  return {
    name,
    overloads,
    ...(actualCost !== undefined && { actualCost }),
    ...(estimateCost !== undefined && { estimateCost }),
  };
}

export function global(...[id, parameters, result, call]: Signature): Overload {
  return { id, member: false, parameters, result, call };
}

export function member(...[id, parameters, result, call]: Signature): Overload {
  return { id, member: true, parameters, result, call };
}

/** The cost limit of one expression in Kubernetes. */
const CALL_COST_MAX = 1_000_000;

/**
 * Upstream counts what a call costs when it is over. One that alone costs more than an expression may is not begun here,
 * because nothing else runs while it does.
 */
export function refuseBeyondBudget(cost: number): void {
  if (cost > CALL_COST_MAX) throw new CostLimitExceeded();
}
