/** The rules for numbers and texts in a schema. */
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

/** The excluded bound is a number of its own in JSON Schema, and a flag on the included one in OpenAPI. */
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

/** Throws the engine's own error for a pattern that is none. */
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
 * Patterns are the author's code, and run on texts whose size the body bounds. They are JavaScript's: one that
 * backtracks without end is as much the author's mistake as a hook that loops.
 */
function patternOf(source: string): Pattern {
  const expression = unicodeExpression(source) ?? new RegExp(source);
  return { source, matches: (text) => expression.test(text) };
}

/** Of somebody whom nobody knows: it takes time linear in the text, whatever it is. */
function goPattern(source: string): Pattern {
  // A schema may have thousands, of which a value meets few.
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

/** A text of which it would take too long to tell is refused: some tens of milliseconds in which nothing else runs. */
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
    // Escapes that need none are mistakes in this mode only; the other one has the last word.
    return undefined;
  }
}

/** Bounds are floating-point numbers, as upstream's: an integer beyond 2^53 comes as bigint, and is rounded. */
export function numberIn(value: unknown): number | undefined {
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' ? value : undefined;
}

export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
