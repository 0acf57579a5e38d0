/** Validates keywords of a schema: unsupported ones, and combinations. */

import type { JSONSchemaProps } from '@tributary/api/apiextensions-v1';
import { type FieldError, fieldError } from '@tributary/apimachinery';
import { ERRORS_MAX, type JsonSchema, ruleDeclarationErrors } from '@tributary/server/schema';
import { childPath, itemPath, keyPath, type LazyPath } from './lazy-path.ts';
import { validateListType, validateMapKeys, validateMapType } from './validate-list-type.ts';

export interface KeywordRules {
  /** Called only when an error was found: stored objects may keep some errors. */
  readonly requireValidType: () => boolean;
  readonly requireAtomicSets: () => boolean;
  readonly requireMapKeys: () => boolean;
}

interface KeywordProblems {
  readonly errors: readonly FieldError[];
  /** Schemas with errors, whose CEL rules are not compiled. */
  readonly unsound: ReadonlySet<JSONSchemaProps>;
}

export function validateKeywords(
  schema: JSONSchemaProps,
  place: LazyPath,
  rules: KeywordRules,
): KeywordProblems {
  const walk: Walk = { rules, errors: [], unsound: new Set() };
  visit(schema, { place, isRoot: true, isMetadata: false, noDefaults: undefined }, walk);
  return walk;
}

interface Walk {
  readonly rules: KeywordRules;
  readonly errors: FieldError[];
  readonly unsound: Set<JSONSchemaProps>;
}

interface Position {
  readonly place: LazyPath;
  readonly isRoot: boolean;
  /** Within the metadata of the object or of an embedded object. */
  readonly isMetadata: boolean;
  /** The end of the error message where defaults are forbidden. */
  readonly noDefaults: string | undefined;
}

/** In upstream's order: unsupported keywords, nested schemas, then combinations. */
function visit(schema: JSONSchemaProps, position: Position, walk: Walk): void {
  const { errors, rules } = walk;
  const { place } = position;
  // Bounded, as for objects: an error repeated many times must not make a long response.
  if (errors.length >= ERRORS_MAX) return;
  const before = errors.length;
  unsupported(schema, position, walk);
  if (schema.uniqueItems) {
    const detail =
      'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    errors.push(fieldError.forbidden(place().child('uniqueItems'), detail));
  }
  visitInner(schema, position, walk);
  if (schema[PRESERVE] === false) {
    errors.push(fieldError.invalid(place().child(PRESERVE), false, 'must be true or undefined'));
  }
  if (schema['x-kubernetes-map-type'] !== undefined) {
    errors.push(...validateMapType(schema, place()));
  }
  if (schema['x-kubernetes-list-type'] ?? schema['x-kubernetes-list-map-keys']) {
    errors.push(...validateListType(schema, place(), rules));
    const missing = validateMapKeys(schema, place());
    if (missing.length > 0 && rules.requireMapKeys()) errors.push(...missing);
  }
  if (schema['x-kubernetes-validations'] !== undefined) {
    // The declaration of a rule; compilation validates its expression.
    errors.push(...ruleDeclarationErrors(schema as JsonSchema, place()));
  }
  if (errors.length > before) walk.unsound.add(schema);
}

const PRESERVE = 'x-kubernetes-preserve-unknown-fields';
const METADATA: ReadonlySet<string> = new Set(['metadata', 'kind', 'apiVersion']);

function visitInner(schema: JSONSchemaProps, position: Position, walk: Walk): void {
  const { place, isRoot, isMetadata, noDefaults } = position;
  const at = (one: JSONSchemaProps, where: LazyPath) =>
    visit(one, { place: where, isRoot: false, isMetadata, noDefaults }, walk);
  visitAdditional(schema, position, walk);
  const { properties, not, items } = schema;
  if (properties !== undefined) {
    const isObject = isRoot || schema['x-kubernetes-embedded-resource'] === true;
    for (const name of Object.keys(properties)) {
      const own = isObject && METADATA.has(name);
      visit(
        properties[name] as JSONSchemaProps,
        {
          place: keyPath(place, 'properties', name),
          isRoot: false,
          isMetadata: isMetadata || own,
          noDefaults: own && isRoot ? `in top-level ${name}` : noDefaults,
        },
        walk,
      );
    }
  }
  if (not !== undefined) at(not, childPath(place, 'not'));
  for (const keyword of ['allOf', 'oneOf', 'anyOf'] as const) {
    for (const [index, one] of (schema[keyword] ?? []).entries()) {
      at(one, itemPath(place, keyword, index));
    }
  }
  if (schema.definitions !== undefined) {
    for (const [name, one] of Object.entries(schema.definitions)) {
      at(one, keyPath(place, 'definitions', name));
    }
  }
  if (Array.isArray(items)) {
    for (const [index, one] of items.entries()) at(one, itemPath(place, 'items', index));
  } else if (items !== undefined) at(items, childPath(place, 'items'));
  for (const [name, one] of Object.entries(schema.dependencies ?? {})) {
    if (!Array.isArray(one)) at(one, keyPath(place, 'dependencies', name));
  }
}

/** A schema with `properties` is a struct and one with `additionalProperties` a map; it cannot be both. */
function visitAdditional(schema: JSONSchemaProps, position: Position, walk: Walk): void {
  const { additionalProperties, properties } = schema;
  if (additionalProperties === undefined) return;
  const place = childPath(position.place, 'additionalProperties');
  if (properties !== undefined && additionalProperties !== true) {
    const detail = 'additionalProperties and properties are mutual exclusive';
    walk.errors.push(fieldError.forbidden(place(), detail));
  }
  if (typeof additionalProperties === 'boolean') return;
  const noDefaults = position.isMetadata
    ? 'inside additionalProperties applying to object metadata'
    : position.noDefaults;
  visit(additionalProperties, { ...position, isRoot: false, place, noDefaults }, walk);
}

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

const UNSUPPORTED: readonly (keyof JSONSchemaProps)[] = [
  'id',
  'additionalItems',
  'patternProperties',
  'definitions',
  'dependencies',
  '$ref',
];

function unsupported(
  schema: JSONSchemaProps,
  { place, isMetadata, noDefaults }: Position,
  { errors, rules }: Walk,
): void {
  const { type, items } = schema;
  const forbid = (keyword: string, detail: string) =>
    errors.push(fieldError.forbidden(place().child(keyword), detail));
  if (type !== undefined && !TYPES.includes(type) && rules.requireValidType()) {
    errors.push(fieldError.notSupported(place().child('type'), type, TYPES));
  }
  if (schema.default !== undefined && noDefaults !== undefined) {
    forbid('default', `must not be set ${noDefaults}`);
  }
  for (const keyword of UNSUPPORTED) {
    if (schema[keyword] !== undefined) forbid(keyword, `${keyword} is not supported`);
  }
  if (type === 'null') forbid('type', 'type cannot be set to null, use nullable as an alternative');
  if (Array.isArray(items)) forbid('items', 'items must be a schema object and not an array');
  if (isMetadata && schema['x-kubernetes-embedded-resource']) {
    forbid('x-kubernetes-embedded-resource', 'must not be used inside of resource meta');
  }
}
