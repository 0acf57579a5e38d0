/** Evaluates the rules of a schema for an object, as upstream does for custom resources. */
import { type FieldError, FieldPath, fieldError } from '@tributary/apimachinery';
import type { Json, Result, Variables } from '@tributary/cel';
import { cel } from '../cel.ts';
import { type Correlation, elementsByKey } from '../correlation.ts';
import { childPath, keyPath } from '../list-types.ts';
import { mapKeyOf } from '../map-key.ts';
import { isRecord } from '../schema-node.ts';
import type { CompiledRule, LazyRule } from './compile-rule.ts';
import type { CompiledRules } from './compiled-rules.ts';
import { type RuleMessage, ruleMessage, ruleText } from './rule-message.ts';
import {
  evaluateWithin,
  giveUp,
  isOver,
  newRuleRun,
  type RuleRun,
  type RuleSubject,
  ratchetIndex,
  ratchetKey,
  report,
  spend,
} from './rule-run.ts';
import type { RuleNode } from './rule-tree.ts';

type RuleValidators = Required<Pick<CompiledRules, 'validate' | 'validateWithin'>>;

export function ruleValidators(tree: RuleNode | undefined): RuleValidators {
  if (tree === undefined) return { validate: undefined, validateWithin: undefined };
  const begin = (next: unknown, live: unknown, run: RuleRun, correlation?: Correlation) => {
    const ratchet = { here: correlation, around: undefined };
    validate(tree, { value: next, old: live, path: undefined, ratchet }, run);
  };
  return {
    validate: (next, live, { warn = () => {}, correlation } = {}) => {
      const run = newRuleRun(warn);
      begin(next, live, run, correlation);
      return run.errors;
    },
    validateWithin: (allowance, next, live, { warn = () => {}, correlation } = {}) => {
      const warned: string[] = [];
      const run = newRuleRun((text) => warned.push(text), allowance);
      begin(next, live, run, correlation);
      if (run.isInterrupted) return undefined;
      warned.forEach(warn);
      return run.errors;
    },
  };
}

/** Null is validated by the rules of its parent, not by its own. */
function validate(node: RuleNode, subject: RuleSubject, run: RuleRun): void {
  const { value, ratchet } = subject;
  if (value === null || value === undefined || isOver(run)) return;
  validateOwn(node, subject, run);
  for (const part of node.allOf) {
    if (isOver(run)) return;
    // As in schemas, errors within `allOf` count as new unless everything around them is unchanged.
    const around = { here: undefined, around: ratchet.around };
    validate(part, { ...subject, ratchet: around }, run);
  }
  if (isOver(run)) return;
  if (Array.isArray(value)) validateElements(node, value, subject, run);
  else if (isRecord(value)) validateFields(node, value, subject, run);
}

function validateFields(
  { additionalProperties, properties }: RuleNode,
  value: Record<string, unknown>,
  { old, path, ratchet }: RuleSubject,
  run: RuleRun,
): void {
  const inner = (name: string, at: FieldPath): RuleSubject => ({
    value: value[name],
    old: isRecord(old) && Object.hasOwn(old, name) ? old[name] : undefined,
    path: at,
    ratchet: ratchetKey(ratchet, name),
  });
  for (const name of Object.keys(value)) {
    if (additionalProperties) validate(additionalProperties, inner(name, keyPath(path, name)), run);
  }
  for (const name of Object.keys(value)) {
    const field = properties.get(name);
    if (field) validate(field, inner(name, childPath(path, name)), run);
  }
}

function validateElements(
  { items, listMapKeys }: RuleNode,
  value: readonly unknown[],
  { old, path, ratchet }: RuleSubject,
  run: RuleRun,
): void {
  if (items === undefined || path === undefined) return;
  const before = elementsByKey(Array.isArray(old) ? old : [], listMapKeys);
  for (const [at, element] of value.entries()) {
    if (isOver(run)) return;
    const key = mapKeyOf(element, listMapKeys);
    const subject = {
      value: element,
      old: key === undefined ? undefined : before.get(key),
      path: path.index(at),
      ratchet: ratchetIndex(ratchet, at),
    };
    validate(items, subject, run);
  }
}

const OUT_OF_BUDGET =
  'validation failed due to running out of cost budget, no further validation rules will be run';

function validateOwn(node: RuleNode, subject: RuleSubject, run: RuleRun): void {
  const { path } = subject;
  if (node.rules === undefined) return;
  if (run.allowance?.isOver()) {
    giveUp(run);
    return;
  }
  const compiled = node.rules();
  if (compiled.error !== undefined) {
    const detail = `rule compiler initialization error: ${compiled.error}`;
    run.errors.push(fieldError.invalid(path, node.type, detail));
    return;
  }
  if (run.remaining <= 0) {
    stop(run, fieldError.invalid(path, node.type, OUT_OF_BUDGET));
    return;
  }
  const variables = variablesOf(node, subject);
  for (const rule of compiled.rules) {
    if (run.remaining < 0) return;
    if (!mayGoOn(rule, run)) {
      giveUp(run);
      return;
    }
    validateRule(rule.compiled(), node, subject, { run, variables });
  }
}

function mayGoOn({ rule }: LazyRule, { allowance }: RuleRun): boolean {
  if (allowance === undefined) return true;
  const { rule: text, messageExpression = '' } = rule;
  return text.length + messageExpression.length <= allowance.ruleLength && !allowance.isOver();
}

function stop(run: RuleRun, error: FieldError): void {
  run.errors.push(error);
  run.remaining = -1;
}

interface RuleVariables {
  readonly plain: Variables;
  /** Variables with an optional `oldSelf`. */
  readonly optional: Variables;
}

function variablesOf({ valueSchema }: RuleNode, { value, old }: RuleSubject): RuleVariables {
  const { typedValue, NONE } = cel();
  const self = typedValue(value as Json, valueSchema);
  const hasOld = old !== undefined && old !== null;
  const oldSelf = hasOld ? typedValue(old as Json, valueSchema) : undefined;
  const plain = new Map<string, Result>([['self', self]]);
  if (oldSelf !== undefined) plain.set('oldSelf', oldSelf);
  return {
    plain,
    optional: new Map<string, Result>([
      ['self', self],
      ['oldSelf', oldSelf === undefined ? NONE : optionalOf(oldSelf)],
    ]),
  };
}

function optionalOf(value: Result): Result {
  const { CelError, Optional } = cel();
  return value instanceof CelError ? value : new Optional(value);
}

interface Asking {
  readonly run: RuleRun;
  readonly variables: RuleVariables;
}

function validateRule(
  compiled: CompiledRule,
  { type }: RuleNode,
  subject: RuleSubject,
  { run, variables: { plain, optional } }: Asking,
): void {
  const { rule, program, usesOldSelf } = compiled;
  const { old, path } = subject;
  if (compiled.error !== undefined) {
    run.errors.push(fieldError.invalid(path, type, `rule compile error: ${compiled.error}`));
    return;
  }
  const isOptional = rule.optionalOldSelf === true;
  const isNew = old === undefined || old === null;
  if (program === undefined || (usesOldSelf && isNew && !isOptional)) return;
  const variables = isOptional ? optional : plain;
  const result = evaluateWithin(program, variables, run);
  if (result === undefined) {
    giveUp(run);
    return;
  }
  if (!spend(run, result)) {
    stop(run, fieldError.invalid(path, type, OUT_OF_BUDGET));
    return;
  }
  if (result.outcome === 'value') {
    if (result.value === true) return;
    const message = ruleMessage(compiled, variables, run);
    reportBroken(compiled, message, type, { subject, run });
    return;
  }
  const error = fieldError.invalid(path, type, failureText(result.message, ruleText(rule)));
  if (result.outcome === 'exceeded') stop(run, error);
  else run.errors.push(error);
}

function failureText(message: string, rule: string): string {
  if (message.startsWith('no such overload')) {
    return `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${rule}`;
  }
  if (message.startsWith('operation cancelled: actual cost limit exceeded')) {
    return `'${message}': no further validation rules will be run due to call cost exceeds limit for rule: ${rule}`;
  }
  return `${message} evaluating rule: ${rule}`;
}

function reportBroken(
  { rule, fieldPath, usesOldSelf }: CompiledRule,
  { text, isLast }: RuleMessage,
  type: string,
  { subject, run }: { readonly subject: RuleSubject; readonly run: RuleRun },
): void {
  const { path, value, ratchet } = subject;
  const place = fieldPath === '' ? path : (path?.child(fieldPath) ?? FieldPath.root(fieldPath));
  const isShown = type !== 'object' && type !== 'array';
  const error = isLast
    ? fieldError.invalid(place, type, text)
    : errorFor(rule.reason, place, { isShown, value, detail: text });
  report(run, error, { ratchet, usesOldSelf });
  if (isLast) run.remaining = -1;
}

/** Errors do not contain objects and lists. */
function errorFor(
  reason: string | undefined,
  place: FieldPath | undefined,
  { isShown, value, detail }: { isShown: boolean; value: unknown; detail: string },
): FieldError {
  const shown = (error: FieldError): FieldError => {
    const { value: _, ...rest } = error;
    return isShown ? error : rest;
  };
  switch (reason) {
    case 'FieldValueForbidden':
      return fieldError.forbidden(place, detail);
    case 'FieldValueRequired':
      return fieldError.required(place, detail);
    case 'FieldValueDuplicate':
      return shown(fieldError.duplicate(place, value));
    default:
      return shown(fieldError.invalid(place, value, detail));
  }
}
