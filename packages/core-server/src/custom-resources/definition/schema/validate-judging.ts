/** Schemas within `allOf`, `anyOf`, `oneOf` and `not` judge values: they say nothing of what a value is. */

import type { JSONSchemaProps } from '@tributary/api/apiextensions-v1';
import { type FieldError, fieldError } from '@tributary/apimachinery';
import { ERRORS_MAX, patternError } from '@tributary/server/schema';
import { childOf, elementOf, fieldOf, type Place } from './lazy-path.ts';

export type Level = 'root' | 'item' | 'field';

export interface Judging {
  readonly errors: FieldError[];
  /** What is wrong with patterns that were seen; many schemas have the same few. */
  readonly patterns: Map<string, string | undefined>;
}

interface JudgingPlace {
  readonly level: Level;
  /** A number or a text is said by two types, in one of two ways that everybody writes. */
  readonly skipsAnyOf?: boolean;
  readonly skipsFirstAnyOf?: boolean;
}

export function validateJudging(
  { anyOf, allOf, oneOf, not, pattern }: JSONSchemaProps,
  place: Place,
  judging: Judging,
  { level, skipsAnyOf = false, skipsFirstAnyOf = false }: JudgingPlace,
): void {
  const each = (
    schemas: readonly JSONSchemaProps[] | undefined,
    keyword: string,
    skipsFirst = false,
  ) => {
    if (schemas === undefined) return;
    for (const [at, one] of schemas.entries()) {
      const skips = { level, skipsAnyOf: skipsFirst && at === 0 };
      validateNested(one, elementOf(place, keyword, at), judging, skips);
    }
  };
  if (!skipsAnyOf) each(anyOf, 'anyOf');
  each(allOf, 'allOf', skipsFirstAnyOf);
  each(oneOf, 'oneOf');
  if (not !== undefined) validateNested(not, childOf(place, 'not'), judging, { level });
  if (pattern !== undefined) validatePattern(pattern, place, judging);
}

function validatePattern(pattern: string, place: Place, { errors, patterns }: Judging): void {
  if (!patterns.has(pattern)) patterns.set(pattern, patternError(pattern));
  const why = patterns.get(pattern);
  if (why === undefined) return;
  const detail = `must be a valid regular expression, but isn't: ${why}`;
  errors.push(fieldError.invalid(place().child('pattern'), pattern, detail));
}

function validateNested(
  schema: JSONSchemaProps,
  place: Place,
  judging: Judging,
  within: JudgingPlace,
): void {
  if (judging.errors.length >= ERRORS_MAX) return;
  const { level } = within;
  const { items, properties } = schema;
  validateJudging(schema, place, judging, within);
  if (items !== undefined && !Array.isArray(items)) {
    validateNested(items, childOf(place, 'items'), judging, { level });
  }
  for (const [name, field] of Object.entries(properties ?? {})) {
    validateNested(field, fieldOf(place, 'properties', name), judging, { level: 'field' });
  }
  const { errors } = judging;
  for (const [keyword, detail] of FORBIDDEN) {
    const value = schema[keyword];
    if (value === undefined || value === false) continue;
    errors.push(fieldError.forbidden(place().child(keyword), detail));
  }
  if (properties !== undefined && Object.hasOwn(properties, 'metadata')) {
    const detail = 'must not be specified in a nested context';
    errors.push(fieldError.forbidden(place().child('properties').key('metadata'), detail));
  }
}

const EMPTY = 'must be empty to be structural';
const UNDEFINED = 'must be undefined to be structural';
const FALSE = 'must be false to be structural';

const FORBIDDEN: readonly (readonly [keyof JSONSchemaProps, string])[] = [
  ['type', EMPTY],
  ['additionalProperties', UNDEFINED],
  ['default', UNDEFINED],
  ['title', EMPTY],
  ['description', EMPTY],
  ['nullable', FALSE],
  ['x-kubernetes-preserve-unknown-fields', FALSE],
  ['x-kubernetes-embedded-resource', FALSE],
  ['x-kubernetes-int-or-string', FALSE],
  ['x-kubernetes-list-map-keys', EMPTY],
  ['x-kubernetes-list-type', UNDEFINED],
  ['x-kubernetes-map-type', UNDEFINED],
  ['x-kubernetes-validations', EMPTY],
];
