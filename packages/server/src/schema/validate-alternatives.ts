/** `anyOf`, `oneOf`, `allOf` and `not`. The reference server names their place only in their words. */
import { goQuote } from '@tributary/apimachinery';
import type { SchemaNode } from './schema-node.ts';
import { validateValue } from './validate-value.ts';
import type { Attempt, Walk } from './walk.ts';

/** Answers how many checks were passed. */
export function validateAlternatives(node: SchemaNode, value: unknown, walk: Walk): number {
  const { anyOf, oneOf, allOf, not } = node;
  let passed = 1;
  if (anyOf.length > 0) passed += validateAnyOf(anyOf, value, walk);
  if (oneOf.length > 0) passed += validateOneOf(oneOf, value, walk);
  if (allOf.length > 0) passed += validateAllOf(allOf, value, walk);
  if (not !== undefined && isValid(attempt(not, value, walk))) {
    walk.addUnplaced(`${goQuote(walk.path)} must not validate the schema (not)`);
  }
  return passed;
}

function attempt(node: SchemaNode, value: unknown, walk: Walk): Attempt {
  return walk.attempt(() => validateValue(node, value, walk));
}

function isValid({ errors }: Attempt): boolean {
  return errors.length === 0;
}

function validateAnyOf(nodes: readonly SchemaNode[], value: unknown, walk: Walk): number {
  const attempts: Attempt[] = [];
  for (const node of nodes) {
    const one = attempt(node, value, walk);
    if (isValid(one)) return one.passed;
    attempts.push(one);
  }
  walk.addUnplaced(`${goQuote(walk.path)} must validate at least one schema (anyOf)`);
  return reportBest(attempts, walk);
}

function validateOneOf(nodes: readonly SchemaNode[], value: unknown, walk: Walk): number {
  const attempts = nodes.map((node) => attempt(node, value, walk));
  const [first, ...others] = attempts.filter(isValid);
  if (first !== undefined && others.length === 0) return first.passed;
  const found =
    first === undefined ? 'Found none valid' : `Found ${others.length + 1} valid alternatives`;
  walk.addUnplaced(`${goQuote(walk.path)} must validate one and only one schema (oneOf). ${found}`);
  return first === undefined ? reportBest(attempts, walk) : 0;
}

/** The first of those that passed most. */
function reportBest(attempts: readonly Attempt[], walk: Walk): number {
  const best = attempts.reduce((one, other) => (other.passed > one.passed ? other : one));
  walk.addAll(best.errors);
  return best.passed;
}

function validateAllOf(nodes: readonly SchemaNode[], value: unknown, walk: Walk): number {
  const attempts = nodes.map((node) => attempt(node, value, walk));
  for (const { errors } of attempts) walk.addAll(errors);
  const valid = attempts.filter(isValid).length;
  if (valid < attempts.length) {
    const none = valid === 0 ? '. None validated' : '';
    walk.addUnplaced(`${goQuote(walk.path)} must validate all the schemas (allOf)${none}`);
  }
  return attempts.reduce((sum, one) => sum + one.passed, 0);
}
