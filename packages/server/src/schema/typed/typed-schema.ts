import type { JsonSchema } from '../json-schema.ts';
import type { SchemaObject } from '../openapi-schema.ts';
import type { GoEither, GoField, GoScalar, GoStructType, GoType } from './go-type.ts';

/** The OpenAPI definitions of a struct and of all types that it refers to, by name. */
export function typedDefinitions(struct: GoStructType): Map<string, SchemaObject> {
  const definitions = new Map<string, SchemaObject>();
  const visit = (type: GoType): void => {
    if ('element' in type) {
      visit(type.element);
    } else if (type.definition !== undefined && !definitions.has(type.definition)) {
      definitions.set(type.definition, definitionOf(type));
      if (type.kind === 'struct') for (const field of type.fields) visit(field.type);
      if (type.kind === 'either') visit(type.struct);
    }
  };
  visit(struct);
  return definitions;
}

function definitionOf(type: GoScalar | GoStructType | GoEither): SchemaObject {
  if (type.kind === 'struct') return structDefinition(type);
  // OpenAPI has no schema for a value of two types.
  return type.kind === 'either' ? {} : scalarDefinition(type);
}

/** A struct with references, as in OpenAPI. */
export function structDefinition(struct: GoStructType): SchemaObject {
  const description = struct.describe();
  const required = struct.fields.filter((field) => field.required).map(({ name }) => name);
  return {
    ...(description !== undefined && { description }),
    type: 'object',
    ...(required.length > 0 && { required }),
    ...(struct.fields.length > 0 && {
      properties: Object.fromEntries(
        struct.fields.map((field) => [field.name, describedField(field)]),
      ),
    }),
    ...struct.extras,
  };
}

/**
 * The JSON Schemas of a struct's fields without references and descriptions, for merging and patching. Structs have
 * their names as titles, and each is expanded once. A struct that contains itself is not expanded within: built-in
 * kinds merge nothing there.
 */
export function expandedFields(struct: GoStructType): Map<string, JsonSchema> {
  const expanded = new Map<GoStructType, JsonSchema | undefined>();
  const expand: SchemaOf = (type) => {
    if (type.kind === 'either') return {};
    if (type.kind !== 'struct') return scalarForm(type);
    const known = expanded.get(type);
    if (known !== undefined) return known as SchemaObject;
    if (expanded.has(type)) {
      return { title: type.bareName, type: 'object', 'x-kubernetes-map-type': 'atomic' };
    }
    expanded.set(type, undefined);
    const schema: SchemaObject = {
      title: type.bareName,
      type: 'object',
      properties: Object.fromEntries(
        type.fields.map((field) => [field.name, fieldSchema(field, expand)]),
      ),
      ...type.extras,
    };
    expanded.set(type, schema as JsonSchema);
    return schema;
  };
  return new Map(
    struct.fields.map((field) => [field.name, fieldSchema(field, expand) as JsonSchema]),
  );
}

/** Returns the inline schema of a scalar or a struct. */
type SchemaOf = (type: GoScalar | GoStructType | GoEither) => SchemaObject;

const described: SchemaOf = (type) =>
  type.definition === undefined ? scalarForm(type as GoScalar) : { $ref: type.definition };

function describedField(field: GoField): SchemaObject {
  const description = descriptionOf(field);
  return { ...(description !== undefined && { description }), ...fieldSchema(field, described) };
}

function fieldSchema({ type, omitEmpty, extras }: GoField, schemaOf: SchemaOf): SchemaObject {
  const schema: Record<string, unknown> = {
    ...valueSchema(type, schemaOf),
    ...defaultOf(type, { omitEmpty }),
    ...extras,
  };
  // Keywords of the type may not hold for a field.
  for (const [keyword, value] of Object.entries(extras)) {
    if (value === null) delete schema[keyword];
  }
  return schema;
}

/** A field without a description has that of its struct. */
export function descriptionOf({ declaredBy, name, type }: GoField): string | undefined {
  const value = type.kind === 'pointer' ? type.element : type;
  const ofType = value.kind === 'struct' ? value.describe() : undefined;
  return declaredBy.describe(name) ?? ofType;
}

function valueSchema(type: GoType, schemaOf: SchemaOf): SchemaObject {
  switch (type.kind) {
    case 'pointer':
      return valueSchema(type.element, schemaOf);
    case 'slice':
      return { type: 'array', items: valueSchema(type.element, schemaOf) };
    case 'map':
      return { type: 'object', additionalProperties: valueSchema(type.element, schemaOf) };
    case 'struct':
    case 'string':
    case 'bool':
    case 'int32':
    case 'int64':
    case 'float64':
    case 'bytes':
    case 'time':
    case 'microTime':
    case 'intOrString':
    case 'quantity':
    case 'raw':
    case 'json':
    case 'either':
      return schemaOf(type);
  }
}

/** A type that Go always encodes has its zero value as default; structs are always encoded. */
function defaultOf({ kind }: GoType, { omitEmpty }: { omitEmpty: boolean }): SchemaObject {
  if (kind === 'struct') return { default: {} };
  if (omitEmpty) return {};
  if (kind === 'string') return { default: '' };
  if (kind === 'bool') return { default: false };
  return kind === 'int32' || kind === 'int64' || kind === 'float64' ? { default: 0 } : {};
}

/** Scalars with a definition of their own are described by it in both document versions. */
function scalarDefinition(type: GoScalar): SchemaObject {
  switch (type.kind) {
    case 'intOrString':
      return { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] };
    case 'quantity':
      return { oneOf: [{ type: 'string' }, { type: 'number' }] };
    case 'raw':
      return { type: 'object' };
    case 'json':
      return {};
    case 'string':
    case 'bool':
    case 'int32':
    case 'int64':
    case 'float64':
    case 'bytes':
    case 'time':
    case 'microTime':
      return scalarForm(type);
  }
}

/** The inline schema of a scalar. For merging, a string with a format is a value of any type. */
function scalarForm({ kind, extras }: GoScalar): SchemaObject {
  switch (kind) {
    case 'string':
      return { type: 'string', ...extras };
    case 'bool':
      return { type: 'boolean' };
    case 'int32':
    case 'int64':
      return { type: 'integer', format: kind };
    case 'float64':
      return { type: 'number', format: 'double' };
    case 'bytes':
      return { type: 'string', format: 'byte' };
    case 'time':
    case 'microTime':
      return { type: 'string', format: 'date-time' };
    case 'intOrString':
      return { type: 'string', format: 'int-or-string' };
    case 'quantity':
      return { type: 'string', format: 'quantity' };
    case 'raw':
      return { type: 'object', 'x-kubernetes-map-type': 'atomic' };
    case 'json':
      return {};
  }
}
