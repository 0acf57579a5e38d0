import type { TSchema } from 'typebox';
import { buildNode } from './build-node.ts';
import { type JsonSchema, schemaData } from './json-schema.ts';
import { once } from './once.ts';
import { celSchema } from './rules/cel-schema.ts';
import { compileRules, hasRules } from './rules/compile-rules.ts';
import { type CompiledRules, ruleProblemText } from './rules/compiled-rules.ts';
import { isRecord, rootNode, type SchemaNode } from './schema-node.ts';
import type { TypedKind } from './typed/typed-kind.ts';
import { expandedFields } from './typed/typed-schema.ts';

/** The schema of a whole object: the author's top-level fields beside those of every object. */
export interface ObjectSchema {
  readonly description: string;
  /** The author's top-level fields by name: `spec`, `status` and others. */
  readonly fields: ReadonlyMap<string, JsonSchema>;
  /** The node for validation, pruning and defaulting. Empty for a typed kind. */
  readonly structure: SchemaNode;
  /** The Go struct of the kind upstream: bodies are decoded by it, and no schema validates them. */
  readonly typed: TypedKind | undefined;
  /** The schema of the whole object, where it was given as one: it may restrict the object itself. */
  readonly root: JsonSchema | undefined;
  /** Its `x-kubernetes-validations`; undefined when there are none. */
  readonly rules: CompiledRules | undefined;
}

/** Fields that every object has. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * The OpenAPI v3 schema of a whole object, as in a CustomResourceDefinition. Nothing is folded, and patterns are Go's.
 * Everything is made on first use, since there may be hundreds.
 */
export function rootSchema(schema: JsonSchema, description = textOf(schema)): ObjectSchema {
  return lazily({
    description: () => description,
    fields: () => new Map(ownEntries(schema)),
    structure: () => buildNode(schema, '', { verbatim: true, lazy: true }),
    root: schema,
    rules: () => rulesOf(schema),
  });
}

function textOf({ description }: JsonSchema): string {
  return typeof description === 'string' ? description : '';
}

function ownEntries({ properties }: JsonSchema): [string, JsonSchema][] {
  if (!isRecord(properties)) return [];
  return Object.entries(properties).filter(
    (entry): entry is [string, JsonSchema] => !OWN_FIELDS.has(entry[0]) && isRecord(entry[1]),
  );
}

function rulesOf(schema: JsonSchema): CompiledRules | undefined {
  return hasRules(schema) ? compileRules(schema) : undefined;
}

function lazily(parts: {
  readonly description: () => string;
  readonly fields: () => ReadonlyMap<string, JsonSchema>;
  readonly structure: () => SchemaNode;
  readonly root: JsonSchema | undefined;
  readonly rules: () => CompiledRules | undefined;
}): ObjectSchema {
  const fields = once(parts.fields);
  const structure = once(parts.structure);
  const rules = once(parts.rules);
  return {
    description: parts.description(),
    get fields() {
      return fields();
    },
    get structure() {
      return structure();
    },
    get rules() {
      return rules();
    },
    root: parts.root,
    typed: undefined,
  };
}

export function objectSchema(schemas: VersionSchemas, description: string): ObjectSchema {
  const fields = new Map<string, JsonSchema>();
  if (schemas.spec) fields.set('spec', schemaData(schemas.spec));
  if (schemas.status) fields.set('status', schemaData(schemas.status));
  for (const [name, schema] of Object.entries(schemas.fields ?? {})) {
    fields.set(name, schemaData(schema));
  }
  const schema = schemaOfFields(fields, description);
  const problems = schema.rules?.problems ?? [];
  if (problems.length > 0) throw new Error(problems.map(ruleProblemText).join('\n'));
  return schema;
}

export function schemaOfFields(
  fields: ReadonlyMap<string, JsonSchema>,
  description: string,
): ObjectSchema {
  const nodes = new Map([...fields].map(([name, field]) => [name, buildNode(field, name)]));
  return lazily({
    description: () => description,
    fields: () => fields,
    structure: () => rootNode(nodes),
    root: undefined,
    rules: () =>
      [...fields.values()].some(hasRules) ? compileRules(celSchema(fields)) : undefined,
  });
}

/** Merging and patching use the same fields, made on first use. */
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
    root: undefined,
    rules: undefined,
  };
}

/** Every object has type and metadata. */
function ownFields({ struct }: TypedKind): ReadonlyMap<string, JsonSchema> {
  const fields = expandedFields(struct);
  for (const name of ['kind', 'apiVersion', 'metadata']) fields.delete(name);
  return fields;
}

/** The fields of an object that an author describes; `apiVersion`, `kind` and `metadata` are added. */
export interface VersionSchemas {
  readonly spec?: TSchema | undefined;
  readonly status?: TSchema | undefined;
  /** Further top-level fields, for kinds that are not made of spec and status. */
  readonly fields?: Readonly<Record<string, TSchema>> | undefined;
}
