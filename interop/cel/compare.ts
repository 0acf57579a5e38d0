/** Whether our answer is the recorded one, as far as both can be asked the same. */
import type { CelResult } from './evaluator.ts';
import type { OurResponse } from './ours.ts';

const EXCEEDED = 'operation cancelled: actual cost limit exceeded';

/** The recorded answer in what ours can say. */
export function comparable(recorded: CelResult): OurResponse {
  const { rule, ...rest } = withoutPassedCost(recorded);
  const isRule = rest.compileError === undefined && rest.type === 'bool';
  if (!isRule || rule === undefined) return rest;
  const { maxCardinality = '0', usesOldSelf } = rule;
  return { ...rest, rule: { maxCardinality, ...(usesOldSelf === true && { usesOldSelf }) } };
}

/** By how much a budget was passed depends on how large the last step was, and here some are not begun. */
export function withoutPassedCost<StepResult extends { error?: string; actualCost?: string }>(
  response: StepResult,
): StepResult {
  if (response.error !== EXCEEDED) return response;
  const { actualCost: _, ...rest } = response;
  return rest as StepResult;
}
