/**
 * Validates a value by a schema, as upstream validates custom resources: each rule in its order, with upstream's
 * messages. Fields are in the order of the document, where upstream has none.
 */
import { isDeepStrictEqual } from 'node:util';
import { fieldError, goJson, goQuote, root } from '@tributary/apimachinery';
import { hasFormat } from './formats.ts';
import { secondPlaces } from './list-types.ts';
import { isRecord, type SchemaNode, type SchemaTypeName } from './schema-node.ts';
import { isFloat, isJsonInteger, validateNumber } from './validate-number.ts';
import { type Attempt, excerpt, type Walk } from './walk.ts';

/**
 * Adds errors to the walk. Returns the number of passed checks: when all alternatives fail, the errors of the one that
 * passed most are reported.
 */
export function validateValue(node: SchemaNode, value: unknown, walk: Walk): number {
  if (value === null) {
    const passed = validateType(node, value, walk);
    validateEnum(node, value, walk);
    return passed;
  }
  // Upstream counts the value, and each check of it once more, passed or not.
  let passed = 3;
  if (node.types.length > 0 || node.format !== '') passed += 1 + validateType(node, value, walk);
  passed += 1 + validateAlternatives(node, value, walk);
  if (typeof value === 'string') {
    passed += validateText(node, value, walk);
  } else if (typeof value === 'number' || typeof value === 'bigint') {
    passed += 2;
    validateNumber(node, value, walk);
  } else if (Array.isArray(value)) {
    passed += 2 + validateList(node, value, walk);
  }
  validateEnum(node, value, walk);
  if (isRecord(value)) passed += 1 + validateObject(node, value, walk);
  return passed;
}

function validateType(node: SchemaNode, value: unknown, walk: Walk): 0 | 1 {
  const { types, format } = node;
  const type = typeOf(value);
  if (types.length === 0 ? type === 'null' || format === '' : types.includes(type)) return 1;
  if (type === 'null' && node.nullable) return 1;
  if (type === 'integer' && types.includes('number')) return 1;
  if (type === 'number' && types.includes('integer') && isJsonInteger(Number(value))) return 1;
  const plain = type === 'string' || type === 'array' || type === 'null';
  if (types.length === 0 && plain) return 1;
  if (format !== '' && !plain) walk.addInvalidType(format, goFormat(type));
  else walk.addInvalidType(types.join(','), type);
  return 0;
}

/** The format that upstream derives from the Go type of a value. */
function goFormat(type: SchemaTypeName): string {
  if (type === 'integer') return 'int64';
  return type === 'number' ? 'float64' : '';
}

function typeOf(value: unknown): SchemaTypeName {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'bigint':
      return 'integer';
    case 'number':
      return isFloat(value) ? 'number' : 'integer';
    default:
      if (value === null) return 'null';
      return Array.isArray(value) ? 'array' : 'object';
  }
}

/** The first rule that fails; the format is validated separately. */
function validateText(node: SchemaNode, value: string, walk: Walk): 1 | 2 {
  const { minLength, maxLength, pattern, format } = node;
  if (maxLength !== undefined && isLonger(value, maxLength)) {
    walk.add(fieldError.tooLong(root(walk.path), maxLength));
  } else if (minLength !== undefined && !isLonger(value, minLength - 1)) {
    walk.addInvalid(value, `should be at least ${minLength} chars long`);
  } else if (pattern !== undefined && !pattern.matches(value)) {
    walk.addInvalid(value, `should match '${pattern.source}'`);
  }
  // Formats of numbers are validated as ranges.
  const { types } = node;
  if (format === '' || types[0] === 'integer' || types[0] === 'number') return 1;
  if (!hasFormat(format, value)) walk.addInvalidType(format, value);
  return 2;
}

/** Lengths are in characters, although the message about the maximum has bytes. */
function isLonger(text: string, characters: number): boolean {
  if (text.length <= characters) return false;
  if (text.length > characters * 2) return true;
  let count = 0;
  for (const _ of text) count += 1;
  return count > characters;
}

function validateEnum(node: SchemaNode, value: unknown, walk: Walk): void {
  const values = node.enum;
  if (values === undefined || isAmong(value, values)) return;
  const supported = values.map((one) => (typeof one === 'string' ? one : goJson(one)));
  walk.add(fieldError.notSupported(root(walk.path), excerpt(value), supported));
}

function isAmong(value: unknown, values: readonly unknown[]): boolean {
  return values.some((one) => equalsEnumerated(value, one));
}

/** A value is converted to the type of the enumerated one: 1.5 becomes 1 in an enumeration of integers. */
function equalsEnumerated(value: unknown, enumerated: unknown): boolean {
  if (value === null || enumerated === null) return false;
  if (typeof value === 'number' && Number.isInteger(enumerated)) {
    return Math.trunc(value) === enumerated;
  }
  return isDeepStrictEqual(value, enumerated);
}

function validateList(node: SchemaNode, value: readonly unknown[], walk: Walk): number {
  const { minItems, maxItems } = node;
  const passed = validateElements(node, value, walk);
  if (node.tuple !== undefined && value.length > node.tuple.length) {
    walk.addUnplaced("array doesn't allow for additional items");
  }
  if (minItems !== undefined && value.length < minItems) {
    walk.addInvalid(value.length, `should have at least ${minItems} items`);
  }
  if (maxItems !== undefined && value.length > maxItems) {
    walk.add(fieldError.tooMany(root(walk.path), value.length, maxItems));
  }
  if (node.uniqueItems && secondPlaces(value).length > 0) {
    walk.addInvalid('', "shouldn't contain duplicates");
  }
  return passed;
}

function validateElements(
  { items, tuple }: SchemaNode,
  value: readonly unknown[],
  walk: Walk,
): number {
  const length = tuple === undefined ? value.length : Math.min(value.length, tuple.length);
  let passed = 0;
  for (let index = 0; index < length; index += 1) {
    const element = tuple === undefined ? items : tuple[index];
    if (element === undefined) break;
    walk.enter(index);
    passed += validateValue(element, value[index], walk);
    walk.leave();
  }
  return passed;
}

function validateObject(
  node: SchemaNode,
  value: Readonly<Record<string, unknown>>,
  walk: Walk,
): number {
  const names = Object.keys(value);
  validateSize(node, names.length, walk);
  let passed = 0;
  for (const name of names) {
    const field = node.properties.get(name) ?? node.additionalProperties;
    if (field === undefined) continue;
    if (field === false) {
      addForbidden(name, walk);
      continue;
    }
    walk.enter(name);
    passed += validateValue(field, value[name], walk);
    walk.leave();
  }
  for (const name of node.required) {
    if (Object.hasOwn(value, name)) continue;
    const { path } = walk;
    walk.add(fieldError.required(path === '' ? root(name) : root(path, name), ''));
  }
  return passed;
}

function addForbidden(name: string, walk: Walk): void {
  const { path } = walk;
  const detail = `${path}.${name} in body is a forbidden property`;
  walk.add(fieldError.invalid(root(path), name, detail));
}

function validateSize(
  { minProperties, maxProperties }: SchemaNode,
  size: number,
  walk: Walk,
): void {
  if (minProperties !== undefined && size < minProperties) {
    walk.addInvalid(size, `should have at least ${minProperties} properties`);
  }
  if (maxProperties !== undefined && size > maxProperties) {
    walk.add(fieldError.tooMany(root(walk.path), size, maxProperties));
  }
}

/**
 * Validates `anyOf`, `oneOf`, `allOf` and `not`, and returns the number of passed checks. Upstream has their path in
 * messages only.
 */
function validateAlternatives(node: SchemaNode, value: unknown, walk: Walk): number {
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

/** Reports the first of those that passed most. */
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
