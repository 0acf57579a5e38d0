/** Keywords of a schema one by one: those that custom resources have not, and those that must fit each other. */

import type { JSONSchemaProps } from '@tributary/api/apiextensions-v1';
import { type FieldError, fieldError } from '@tributary/apimachinery';
import { ERRORS_MAX, type JsonSchema, ruleDeclarationErrors } from '@tributary/server/schema';
import { childOf, elementOf, fieldOf, type Place } from './lazy-path.ts';
import { validateListType, validateMapKeys, validateMapType } from './validate-list-type.ts';

export interface KeywordRules {
  /** Asked only where something is found: what was wrong before need not be mended now. */
  readonly requireValidType: () => boolean;
  readonly requireAtomicSets: () => boolean;
  readonly requireMapKeys: () => boolean;
}

interface KeywordProblems {
  readonly errors: readonly FieldError[];
  /** Schemas with something wrong in them: rules that use them are not looked at. */
  readonly unsound: ReadonlySet<JSONSchemaProps>;
}

export function validateKeywords(
  schema: JSONSchemaProps,
  place: Place,
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
  readonly place: Place;
  readonly isRoot: boolean;
  /** Within what every object has, its own or an embedded one's. */
  readonly isMetadata: boolean;
  /** Where defaults must not be set: the rest of the sentence that says so. */
  readonly noDefaults: string | undefined;
}

/** The order is the original's: of a schema its own keywords, what is within it, and how its keywords fit. */
function visit(schema: JSONSchemaProps, position: Position, walk: Walk): void {
  const { errors, rules } = walk;
  const { place } = position;
  // As for objects: one mistake many times over must not make a long answer.
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
    // How a rule is written; what it means is found out by compiling it.
    errors.push(...ruleDeclarationErrors(schema as JsonSchema, place()));
  }
  if (errors.length > before) walk.unsound.add(schema);
}

const PRESERVE = 'x-kubernetes-preserve-unknown-fields';
const METADATA: ReadonlySet<string> = new Set(['metadata', 'kind', 'apiVersion']);

function visitInner(schema: JSONSchemaProps, position: Position, walk: Walk): void {
  const { place, isRoot, isMetadata, noDefaults } = position;
  const at = (one: JSONSchemaProps, where: Place) =>
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
          place: fieldOf(place, 'properties', name),
          isRoot: false,
          isMetadata: isMetadata || own,
          noDefaults: own && isRoot ? `in top-level ${name}` : noDefaults,
        },
        walk,
      );
    }
  }
  if (not !== undefined) at(not, childOf(place, 'not'));
  for (const keyword of ['allOf', 'oneOf', 'anyOf'] as const) {
    for (const [index, one] of (schema[keyword] ?? []).entries()) {
      at(one, elementOf(place, keyword, index));
    }
  }
  if (schema.definitions !== undefined) {
    for (const [name, one] of Object.entries(schema.definitions)) {
      at(one, fieldOf(place, 'definitions', name));
    }
  }
  if (Array.isArray(items)) {
    for (const [index, one] of items.entries()) at(one, elementOf(place, 'items', index));
  } else if (items !== undefined) at(items, childOf(place, 'items'));
  for (const [name, one] of Object.entries(schema.dependencies ?? {})) {
    if (!Array.isArray(one)) at(one, fieldOf(place, 'dependencies', name));
  }
}

/** Fields by name are a struct, any others a map; nothing is both. */
function visitAdditional(schema: JSONSchemaProps, position: Position, walk: Walk): void {
  const { additionalProperties, properties } = schema;
  if (additionalProperties === undefined) return;
  const place = childOf(position.place, 'additionalProperties');
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
