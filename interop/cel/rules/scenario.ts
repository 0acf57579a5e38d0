/** Objects judged by the rules of their schema, as the real server and ours are asked. */
import type { JsonSchema } from '../../../packages/server/src/schema/json-schema.ts';

export interface Scenario {
  readonly name: string;
  /** Of one property of the specification, with rules somewhere in it. */
  readonly schema: JsonSchema;
  /** The object before the write; it was not validated. */
  readonly before?: unknown;
  readonly after: unknown;
}

/** The same for the schema of a whole object. */
export interface RootScenario {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly before?: JsonSchema;
  readonly after: JsonSchema;
  /** `after` is written through the status. */
  readonly part?: 'status';
}

/** A schema that is refused, or is not, for its rules. */
export interface ProblemCase {
  readonly name: string;
  /** Of the specification. */
  readonly schema: JsonSchema;
}

type Rule = string | JsonSchema;

/** A schema with rules; a text is the expression alone. */
export function ruled(schema: JsonSchema, ...rules: readonly Rule[]): JsonSchema {
  return { ...schema, 'x-kubernetes-validations': rulesOf(rules) };
}

export function rulesOf(rules: readonly Rule[]): JsonSchema[] {
  return rules.map((rule) => (typeof rule === 'string' ? { rule } : rule));
}

export function object(properties: JsonSchema, more: JsonSchema = {}): JsonSchema {
  return { type: 'object', properties, ...more };
}

export function list(items: JsonSchema, more: JsonSchema = {}): JsonSchema {
  return { type: 'array', items, maxItems: 20, ...more };
}

/** A list whose elements are known by their `name`. */
export function listByName(items: JsonSchema, more: JsonSchema = {}): JsonSchema {
  return list(
    { ...items, required: ['name'] },
    {
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      ...more,
    },
  );
}

export function map(values: JsonSchema, more: JsonSchema = {}): JsonSchema {
  return { type: 'object', additionalProperties: values, maxProperties: 20, ...more };
}

export const TEXT: JsonSchema = { type: 'string', maxLength: 40 };
export const INTEGER: JsonSchema = { type: 'integer' };
