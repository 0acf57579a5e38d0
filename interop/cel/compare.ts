/** Whether our answer is the recorded one, as far as both can be asked the same. */
import type { CelAnswer } from './judge.ts';
import type { OurAnswer } from './ours.ts';

const EXCEEDED = 'operation cancelled: actual cost limit exceeded';

/** The recorded answer in what ours can say. */
export function comparable(recorded: CelAnswer): OurAnswer {
  const { rule, ...rest } = withoutPassedCost(recorded);
  const isRule = rest.compileError === undefined && rest.type === 'bool';
  if (!isRule || rule === undefined) return rest;
  const { maxCardinality = '0', usesOldSelf } = rule;
  return { ...rest, rule: { maxCardinality, ...(usesOldSelf === true && { usesOldSelf }) } };
}

/** By how much a budget was passed depends on how large the last step was, and here some are not begun. */
export function withoutPassedCost<Answer extends { error?: string; actualCost?: string }>(
  answer: Answer,
): Answer {
  if (answer.error !== EXCEEDED) return answer;
  const { actualCost: _, ...rest } = answer;
  return rest as Answer;
}
