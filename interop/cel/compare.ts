/** Whether our answer is the recorded one, as far as both can be asked the same. */
import type { CelResult } from './evaluator.ts';
import type { OurResponse } from './ours.ts';

const EXCEEDED = 'operation cancelled: actual cost limit exceeded';

/** The recorded answer in what ours can say. */
export function comparable(recorded: CelResult): OurResponse {
  const { rule, ...all } = withoutPassedCost(recorded);
  const rest = withFirstSyntaxError(all);
  const isRule = rest.compileError === undefined && rest.type === 'bool';
  if (!isRule || rule === undefined) return rest;
  const { maxCardinality = '0', usesOldSelf } = rule;
  return { ...rest, rule: { maxCardinality, ...(usesOldSelf === true && { usesOldSelf }) } };
}

/** By how much a budget was passed depends on how large the last step was, and here some are not begun. */
export function withoutPassedCost<Result extends { error?: string; actualCost?: string }>(
  response: Result,
): Result {
  if (response.error !== EXCEEDED) return response;
  const { actualCost: _, ...rest } = response;
  return rest as Result;
}

/**
 * The response with the first of several syntax errors. Upstream's parser continues after an error; what it reports then
 * depends on its guess of what was meant, and helps less than the first error alone.
 */
export function withFirstSyntaxError<Response extends { readonly compileError?: string }>(
  response: Response,
): Response {
  const { compileError } = response;
  if (!compileError?.includes(': Syntax error: ')) return response;
  const [first = ''] = compileError.split('\nERROR: ', 1);
  return { ...response, compileError: first };
}
