/** Rules for numbers and texts in a schema. */
import type { Regexp } from '@tributary/cel';
import { cel } from './cel.ts';
import type { JsonSchema } from './json-schema.ts';
import { once } from './once.ts';
import type { Bound, Pattern, SchemaNode } from './schema-node.ts';

export function numberRules(schema: JsonSchema): Partial<SchemaNode> {
  return {
    minimum: boundOf(schema.minimum, schema.exclusiveMinimum, Math.max),
    maximum: boundOf(schema.maximum, schema.exclusiveMaximum, Math.min),
    multipleOf: numberIn(schema.multipleOf),
  };
}

/** JSON Schema has the excluded bound as a number of its own, OpenAPI as a flag on the included one. */
function boundOf(
  included: unknown,
  excluded: unknown,
  stricter: (a: number, b: number) => number,
): Bound | undefined {
  const value = numberIn(included);
  const other = numberIn(excluded);
  if (value === undefined) {
    return other === undefined ? undefined : { value: other, exclusive: true };
  }
  if (other === undefined) return { value, exclusive: excluded === true };
  return stricter(value, other) === other
    ? { value: other, exclusive: true }
    : { value, exclusive: false };
}

/** Throws the engine's error for an invalid pattern. */
export function textRules(
  schema: JsonSchema,
  { verbatim }: { readonly verbatim: boolean },
): Partial<SchemaNode> {
  const pattern = textIn(schema.pattern);
  return {
    minLength: numberIn(schema.minLength),
    maxLength: numberIn(schema.maxLength),
    pattern: pattern === '' ? undefined : verbatim ? goPattern(pattern) : patternOf(pattern),
  };
}

/**
 * Patterns are the author's code, and run on texts that the body's bound limits. They are JavaScript's: endless
 * backtracking is an error of the author, like an endless loop in a hook.
 */
function patternOf(source: string): Pattern {
  const expression = unicodeExpression(source) ?? new RegExp(source);
  return { source, matches: (text) => expression.test(text) };
}

/** From an untrusted schema: matching takes time linear in the text, whatever the pattern. */
function goPattern(source: string): Pattern {
  // A schema may have thousands of patterns, of which a value needs few.
  const compiled = once(() => cel().compileRegexp(source));
  return {
    get source() {
      const found = compiled();
      return found.ok ? source : `${source}, but pattern is invalid: ${found.error}`;
    },
    matches: (text) => {
      const found = compiled();
      return found.ok && matchesInTime(found.regexp, text);
    },
  };
}

/**
 * A text that takes too long to match is invalid: matching blocks the event loop for some tens of milliseconds at most.
 */
function matchesInTime(regexp: Regexp, text: string): boolean {
  try {
    return regexp.matches(text);
  } catch (error) {
    if (error instanceof cel().CostLimitExceeded) return false;
    throw error;
  }
}

function unicodeExpression(source: string): RegExp | undefined {
  try {
    return new RegExp(source, 'u');
  } catch {
    // Redundant escapes are errors in this mode only; the other mode decides.
    return undefined;
  }
}

/** Bounds are float64, as upstream: an integer beyond 2^53 is a bigint here, and is rounded. */
export function numberIn(value: unknown): number | undefined {
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' ? value : undefined;
}

export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
