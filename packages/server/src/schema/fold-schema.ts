/**
 * Converts TypeBox schemas with `anyOf`, `allOf` and `const` to simpler OpenAPI forms: literals to an enumeration, a
 * union with null to a nullable type, an intersection of objects to one object.
 */
import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from './json-schema.ts';
import { isRecord } from './schema-node.ts';

export function foldSchema(schema: JsonSchema): JsonSchema {
  return foldEnumeration(foldIntersection(foldUnion(foldTypes(foldLiteral(schema)))));
}

function foldLiteral(schema: JsonSchema): JsonSchema {
  if (!('const' in schema)) return schema;
  const { const: value, ...rest } = schema;
  return { ...rest, enum: [value] };
}

/** `["string", "null"]` is a nullable string. */
function foldTypes(schema: JsonSchema): JsonSchema {
  const { type, ...rest } = schema;
  if (!Array.isArray(type) || !type.includes('null') || type.length === 1) return schema;
  const others = type.filter((name) => name !== 'null');
  return { ...rest, nullable: true, type: others.length === 1 ? others[0] : others };
}

function foldUnion(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || 'type' in rest || 'properties' in rest) return schema;
  const variants = anyOf.filter(isRecord).map(foldLiteral);
  if (variants.length !== anyOf.length) return schema;
  const others = variants.filter((variant) => variant.type !== 'null');
  const nullable = others.length < variants.length ? { nullable: true } : {};
  const [only] = others;
  if (others.length === 1 && only !== undefined)
    return { ...foldSchema(only), ...rest, ...nullable };
  if (others.length > 0 && others.every(isEnumeration)) {
    const values = others.flatMap((variant) => variant.enum as unknown[]);
    return { ...rest, ...nullable, enum: values };
  }
  if (isIntOrString(others)) return { ...rest, ...nullable, 'x-kubernetes-int-or-string': true };
  return { ...rest, ...nullable, anyOf: others };
}

function isEnumeration(schema: JsonSchema): boolean {
  return Array.isArray(schema.enum) && hasOnly(schema, ['enum', 'type', 'description', 'title']);
}

function isIntOrString(schemas: readonly JsonSchema[]): boolean {
  const types = schemas.map(({ type }) => type).sort();
  return (
    isDeepStrictEqual(types, ['integer', 'string']) &&
    schemas.every((schema) => hasOnly(schema, ['type', 'description', 'title']))
  );
}

/** Messages then name the fields, not the intersection. */
function foldIntersection(schema: JsonSchema): JsonSchema {
  const { allOf, ...rest } = schema;
  if (!Array.isArray(allOf) || allOf.length === 0 || 'properties' in rest) return schema;
  const parts = allOf.filter(isRecord).map(foldSchema);
  if (parts.length !== allOf.length || !parts.every(isPlainObject)) return schema;
  const properties = new Map<string, unknown>();
  for (const [name, field] of parts.flatMap((part) => Object.entries(part.properties as object))) {
    if (properties.has(name) && !isDeepStrictEqual(properties.get(name), field)) return schema;
    properties.set(name, field);
  }
  const required = parts.flatMap((part) => (part.required ?? []) as string[]);
  return {
    ...rest,
    type: 'object',
    properties: Object.fromEntries(properties),
    required: [...new Set(required)],
  };
}

const PLAIN_OBJECT = ['type', 'properties', 'required', 'description', 'title', '$id'];

function isPlainObject(schema: JsonSchema): boolean {
  return schema.type === 'object' && isRecord(schema.properties) && hasOnly(schema, PLAIN_OBJECT);
}

/** Infers the type from the values, where the author gives none. */
function foldEnumeration(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.enum) || 'type' in schema) return schema;
  const types = new Set(schema.enum.map(literalType));
  const nullable = types.delete('null') || schema.nullable === true;
  const [type] = types;
  return {
    ...schema,
    ...(nullable && { nullable }),
    ...(types.size === 1 && type !== undefined && { type }),
  };
}

function literalType(value: unknown): string | undefined {
  if (value === null) return 'null';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value === 'string' || typeof value === 'boolean' ? typeof value : undefined;
}

function hasOnly(schema: JsonSchema, keywords: readonly string[]): boolean {
  return Object.keys(schema).every((keyword) => keywords.includes(keyword));
}
