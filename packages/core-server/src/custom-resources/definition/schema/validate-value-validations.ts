/**
 * Schemas within `allOf`, `anyOf`, `oneOf` and `not` are value validations: they restrict values without specifying
 * their structure.
 */

import type { JSONSchemaProps } from '@tributary/api/apiextensions-v1';
import { type FieldError, fieldError } from '@tributary/apimachinery';
import { ERRORS_MAX, patternError } from '@tributary/server/schema';
import { childPath, itemPath, keyPath, type LazyPath } from './lazy-path.ts';

export type Level = 'root' | 'item' | 'field';

export interface ValueValidation {
  readonly errors: FieldError[];
  /** Errors of patterns already compiled; many schemas repeat a few patterns. */
  readonly patterns: Map<string, string | undefined>;
}

interface ValidationContext {
  readonly level: Level;
  /** The two idioms for int-or-string may specify types in `anyOf`. */
  readonly skipsAnyOf?: boolean;
  readonly skipsFirstAnyOf?: boolean;
}

export function validateValueValidations(
  { anyOf, allOf, oneOf, not, pattern }: JSONSchemaProps,
  place: LazyPath,
  validation: ValueValidation,
  { level, skipsAnyOf = false, skipsFirstAnyOf = false }: ValidationContext,
): void {
  const each = (
    schemas: readonly JSONSchemaProps[] | undefined,
    keyword: string,
    skipsFirst = false,
  ) => {
    if (schemas === undefined) return;
    for (const [at, one] of schemas.entries()) {
      const skips = { level, skipsAnyOf: skipsFirst && at === 0 };
      validateNested(one, itemPath(place, keyword, at), validation, skips);
    }
  };
  if (!skipsAnyOf) each(anyOf, 'anyOf');
  each(allOf, 'allOf', skipsFirstAnyOf);
  each(oneOf, 'oneOf');
  if (not !== undefined) validateNested(not, childPath(place, 'not'), validation, { level });
  if (pattern !== undefined) validatePattern(pattern, place, validation);
}

function validatePattern(
  pattern: string,
  place: LazyPath,
  { errors, patterns }: ValueValidation,
): void {
  if (!patterns.has(pattern)) patterns.set(pattern, patternError(pattern));
  const reason = patterns.get(pattern);
  if (reason === undefined) return;
  const detail = `must be a valid regular expression, but isn't: ${reason}`;
  errors.push(fieldError.invalid(place().child('pattern'), pattern, detail));
}

function validateNested(
  schema: JSONSchemaProps,
  place: LazyPath,
  validation: ValueValidation,
  within: ValidationContext,
): void {
  if (validation.errors.length >= ERRORS_MAX) return;
  const { level } = within;
  const { items, properties } = schema;
  validateValueValidations(schema, place, validation, within);
  if (items !== undefined && !Array.isArray(items)) {
    validateNested(items, childPath(place, 'items'), validation, { level });
  }
  for (const [name, field] of Object.entries(properties ?? {})) {
    validateNested(field, keyPath(place, 'properties', name), validation, { level: 'field' });
  }
  const { errors } = validation;
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
