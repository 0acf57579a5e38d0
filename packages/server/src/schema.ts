import type { TSchema } from 'typebox';
import type { VersionSchemas } from './definition/version.ts';
import { buildNode } from './schema/build-node.ts';
import { rootNode, type SchemaNode } from './schema/schema-node.ts';
import type { TypedKind } from './schema/typed/typed-kind.ts';
import { expandedFields } from './schema/typed/typed-schema.ts';

/** A JSON Schema as data; what TypeBox builds is one, and so is what an author writes by hand. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema of a whole object: the author's top-level fields next to ours. */
export interface ObjectSchema {
  readonly description: string;
  /** The author's top-level fields by name: `spec`, `status` and others. */
  readonly fields: ReadonlyMap<string, JsonSchema>;
  /** The same as validation, pruning and defaulting follow it. Of a typed kind it says nothing. */
  readonly structure: SchemaNode;
  /** The kind is a Go struct upstream: its type decides what is read, and no schema judges it. */
  readonly typed: TypedKind | undefined;
}

export function objectSchema(schemas: VersionSchemas, description: string): ObjectSchema {
  const fields = new Map<string, JsonSchema>();
  if (schemas.spec) fields.set('spec', schemaData(schemas.spec));
  if (schemas.status) fields.set('status', schemaData(schemas.status));
  for (const [name, schema] of Object.entries(schemas.fields ?? {})) {
    fields.set(name, schemaData(schema));
  }
  return schemaOfFields(fields, description);
}

export function schemaOfFields(
  fields: ReadonlyMap<string, JsonSchema>,
  description: string,
): ObjectSchema {
  const nodes = new Map([...fields].map(([name, field]) => [name, buildNode(field, name)]));
  return { description, fields, structure: rootNode(nodes), typed: undefined };
}

/** Merging and patching go by the same fields; they are made when they are first needed. */
export function typedSchema(typed: TypedKind): ObjectSchema {
  let fields: ReadonlyMap<string, JsonSchema> | undefined;
  return {
    get description() {
      return typed.struct.describe() ?? '';
    },
    get fields() {
      fields ??= ownFields(typed);
      return fields;
    },
    structure: rootNode(new Map()),
    typed,
  };
}

/** Type and metadata are every object's. */
function ownFields({ struct }: TypedKind): ReadonlyMap<string, JsonSchema> {
  const fields = expandedFields(struct);
  for (const name of ['kind', 'apiVersion', 'metadata']) fields.delete(name);
  return fields;
}

/** TypeBox keeps type markers in non-enumerable properties; as data a schema is plain JSON. */
export function schemaData(schema: TSchema): JsonSchema {
  return plain(schema) as JsonSchema;
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const { patternProperties, ...rest } = value as Record<string, unknown>;
  const copy = Object.fromEntries(Object.entries(rest).map(([name, one]) => [name, plain(one)]));
  const anyKey = anyKeySchema(patternProperties);
  if (anyKey !== undefined) copy.additionalProperties = plain(anyKey);
  return copy;
}

/** TypeBox writes a map as a pattern that every key matches; Kubernetes knows `additionalProperties`. */
function anyKeySchema(patterns: unknown): unknown {
  if (typeof patterns !== 'object' || patterns === null) return undefined;
  const [[pattern, schema] = ['', undefined], ...others] = Object.entries(patterns);
  if (others.length > 0 || !ANY_KEY.has(pattern)) {
    throw new Error(
      `patternProperties ${pattern}: keys of a map cannot be restricted by a pattern`,
    );
  }
  return schema;
}

const ANY_KEY = new Set(['^.*$', '^(.*)$', '.*', '']);
