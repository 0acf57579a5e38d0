/** Requires that every field of a schema has one type, specified in one place. */
import { isDeepStrictEqual } from 'node:util';
import type { JSONSchemaProps } from '@tributary/api/apiextensions-v1';
import { type FieldError, fieldError, fieldErrorText } from '@tributary/apimachinery';
import { ERRORS_MAX } from '@tributary/server/schema';
import { childPath, keyPath, type LazyPath } from './lazy-path.ts';
import { validateComplete } from './validate-complete.ts';
import {
  type Level,
  type ValueValidation,
  validateValueValidations,
} from './validate-value-validations.ts';

/** Errors are sorted by their texts. The schema must have structural form. */
export function validateStructural(schema: JSONSchemaProps, place: LazyPath): FieldError[] {
  const validation: ValueValidation = { errors: [], patterns: new Map() };
  const { errors } = validation;
  validateInvariants(schema, 'root', place, validation);
  validateComplete(schema, place, errors);
  if (errors.length < 2) return errors;
  const texts = errors.map((error) => [fieldErrorText(error), error] as const);
  return texts.sort(([a], [b]) => (a < b ? -1 : Number(a > b))).map(([, error]) => error);
}

const INT_OR_STRING = [{ type: 'integer' }, { type: 'string' }];

const NEEDS_TYPE: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function validateInvariants(
  schema: JSONSchemaProps,
  level: Level,
  place: LazyPath,
  validation: ValueValidation,
): void {
  const { errors } = validation;
  if (errors.length >= ERRORS_MAX) return;
  const { type, items, properties, additionalProperties } = schema;
  if (type === 'array' && items === undefined) {
    errors.push(fieldError.required(place().child('items'), 'must be specified'));
  }
  if (items !== undefined && !Array.isArray(items)) {
    validateInvariants(items, 'item', childPath(place, 'items'), validation);
  }
  if (properties !== undefined) {
    for (const name of Object.keys(properties)) {
      const field = properties[name] as JSONSchemaProps;
      validateInvariants(field, 'field', keyPath(place, 'properties', name), validation);
    }
  }
  if (additionalProperties !== undefined) {
    const inner = childPath(place, 'additionalProperties');
    if (level === 'root') {
      errors.push(fieldError.forbidden(inner(), 'must not be used at the root'));
    }
    if (typeof additionalProperties === 'object') {
      validateInvariants(additionalProperties, 'field', inner, validation);
    }
  }
  if (errors.length >= ERRORS_MAX) return;
  validateExtensions(schema, place, errors);
  validateValueValidations(schema, place, validation, {
    level,
    skipsAnyOf: isIntOrString(schema.anyOf),
    skipsFirstAnyOf: isIntOrString(schema.allOf?.[0]?.anyOf),
  });
  validateType(schema, level, place, errors);
  if (schema[EMBEDDED]) validateEmbedded(schema, place, errors);
  if (level === 'root' || schema[EMBEDDED]) validateMetadata(schema, level, place, errors);
}

const PRESERVE = 'x-kubernetes-preserve-unknown-fields';
const EMBEDDED = 'x-kubernetes-embedded-resource';

function isIntOrString(anyOf: readonly JSONSchemaProps[] | undefined): boolean {
  return anyOf !== undefined && isDeepStrictEqual(anyOf, INT_OR_STRING);
}

function validateExtensions(schema: JSONSchemaProps, place: LazyPath, errors: FieldError[]): void {
  if (!schema['x-kubernetes-int-or-string']) return;
  const detail = 'must be false if x-kubernetes-int-or-string is true';
  for (const keyword of [PRESERVE, EMBEDDED] as const) {
    if (schema[keyword]) errors.push(fieldError.invalid(place().child(keyword), true, detail));
  }
}

function validateType(
  schema: JSONSchemaProps,
  level: Level,
  place: LazyPath,
  errors: FieldError[],
): void {
  const { type = '' } = schema;
  const at = () => place().child('type');
  if (schema[EMBEDDED] && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(
      type === '' ? fieldError.required(at(), detail) : fieldError.invalid(at(), type, detail),
    );
  } else if (type === '' && !schema['x-kubernetes-int-or-string'] && !schema[PRESERVE]) {
    errors.push(fieldError.required(at(), NEEDS_TYPE[level]));
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    errors.push(fieldError.invalid(at(), type, 'must be object at the root'));
  }
}

function validateEmbedded(schema: JSONSchemaProps, place: LazyPath, errors: FieldError[]): void {
  if (schema.additionalProperties !== undefined) {
    const detail = 'must not be used if x-kubernetes-embedded-resource is set';
    errors.push(fieldError.forbidden(place().child('additionalProperties'), detail));
  }
  if (!schema[PRESERVE] && schema.properties === undefined) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(fieldError.required(place().child('properties'), detail));
  }
}

/** The schema of type and object metadata is fixed: only names may be restricted further. */
function validateMetadata(
  { properties = {} }: JSONSchemaProps,
  level: Level,
  place: LazyPath,
  errors: FieldError[],
): void {
  const at = (name: string) => place().child('properties').key(name);
  for (const [name, wanted] of TYPE_META) {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const { type = '' } = field ?? {};
    if (field === undefined || type === wanted) continue;
    errors.push(fieldError.invalid(at(name).child('type'), type, `must be ${wanted}`));
  }
  const { metadata } = properties;
  if (level === 'root' && metadata !== undefined && restrictsMoreThanNames(metadata)) {
    const detail =
      'must not specify anything other than name and generateName, but metadata is implicitly specified';
    errors.push(fieldError.forbidden(at('metadata'), detail));
  }
}

const TYPE_META: readonly (readonly [string, string])[] = [
  ['kind', 'string'],
  ['apiVersion', 'string'],
  ['metadata', 'object'],
];

const NAMES: ReadonlySet<string> = new Set(['name', 'generateName']);

/** Defaults are validated separately. */
function restrictsMoreThanNames(metadata: JSONSchemaProps): boolean {
  const { type: _type, default: _default, properties = {}, ...rest } = metadata;
  return Object.keys(rest).length > 0 || Object.keys(properties).some((name) => !NAMES.has(name));
}
