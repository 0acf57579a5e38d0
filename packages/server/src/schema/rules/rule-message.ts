/** Messages of failed rules. */
import type { Program, Variables } from '@tributary/cel';
import type { CompiledRule } from './compile-rule.ts';
import { evaluateWithin, giveUp, type RuleRun, spend } from './rule-run.ts';
import type { ValidationRule } from './validation-rule.ts';

const MESSAGE_BYTES_MAX = 5 * 1024;

/** The message; `isLast` when evaluating it has used up the cost limit. */
export interface RuleMessage {
  readonly text: string;
  readonly isLast: boolean;
}

/** A messageExpression that fails, or returns an unusable text, is replaced by the rule's message. */
export function ruleMessage(
  { message, rule }: CompiledRule,
  variables: Variables,
  run: RuleRun,
): RuleMessage {
  const made = message?.program && evaluated(message.program, rule, variables, run);
  return made ?? { text: ownMessage(rule), isLast: false };
}

function evaluated(
  program: Program,
  { messageExpression = '' }: ValidationRule,
  variables: Variables,
  run: RuleRun,
): RuleMessage | undefined {
  const result = evaluateWithin(program, variables, run);
  if (result === undefined) {
    giveUp(run);
    return { text: '', isLast: true };
  }
  if (!spend(run, result)) {
    const text =
      'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run';
    return { text, isLast: true };
  }
  if (result.outcome === 'exceeded') {
    const text = `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${JSON.stringify(messageExpression)}`;
    return { text, isLast: true };
  }
  if (result.outcome === 'error' || typeof result.value !== 'string') return undefined;
  const text = result.value.trim();
  const isShown =
    text !== '' && !text.includes('\n') && Buffer.byteLength(text) <= MESSAGE_BYTES_MAX;
  return isShown ? { text, isLast: false } : undefined;
}

function ownMessage(rule: ValidationRule): string {
  return (rule.message ?? '') === '' ? `failed rule: ${ruleText(rule)}` : ruleText(rule);
}

/** The name of a rule: its message, if it has one. */
export function ruleText({ rule, message = '' }: ValidationRule): string {
  return (message === '' ? rule : message).trim();
}
