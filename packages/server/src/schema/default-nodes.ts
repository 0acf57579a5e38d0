/** Nodes of schemas with defaults, for their validation. */

import { buildNode } from './build-node.ts';
import type { JsonSchema } from './json-schema.ts';
import { rulesIn } from './rules/validation-rule.ts';
import { isRecord, type SchemaNode } from './schema-node.ts';

/** A whole object, or an embedded one. */
export interface Resource {
  readonly schema: JsonSchema;
  /** Undefined for a schema that cannot be converted: it is rejected elsewhere. */
  readonly node: () => SchemaNode | undefined;
}

export function resourceOf(schema: JsonSchema, embedding: Set<SchemaNode>): Resource {
  let made: { readonly node: SchemaNode | undefined } | undefined;
  return {
    schema,
    node: () => {
      made ??= { node: nodeOf(schema, embedding, { isResource: true }) };
      return made.node;
    },
  };
}

/** Made only for schemas with defaults and everything within them, because a definition may have many others. */
export function nodeOf(
  schema: JsonSchema,
  embedding: Set<SchemaNode>,
  { isResource }: { readonly isResource: boolean },
): SchemaNode | undefined {
  const node = builtNode(schema);
  if (node === undefined) return undefined;
  const own = isResource ? { ...node, embeddedResource: true } : node;
  addEmbedding(own, embedding);
  return own;
}

function builtNode(schema: JsonSchema): SchemaNode | undefined {
  try {
    return buildNode(schema, '', { verbatim: true });
  } catch {
    return undefined;
  }
}

/** Structural schemas are trees. */
function addEmbedding(node: SchemaNode, embedding: Set<SchemaNode>): boolean {
  const { properties, items, additionalProperties } = node;
  let isEmbedding = node.embeddedResource;
  const look = (inner: SchemaNode) => {
    if (addEmbedding(inner, embedding)) isEmbedding = true;
  };
  for (const inner of properties.values()) look(inner);
  if (items !== undefined) look(items);
  if (additionalProperties) look(additionalProperties);
  if (isEmbedding) embedding.add(node);
  return isEmbedding;
}

/** Counts the rules of each schema and below it; schemas without rules are omitted. */
export function countRules(schema: JsonSchema, counts: Map<JsonSchema, number>): number {
  const { items, properties, additionalProperties } = schema;
  let count = rulesIn(schema).length;
  if (isRecord(items)) count += countRules(items, counts);
  if (isRecord(additionalProperties)) count += countRules(additionalProperties, counts);
  if (isRecord(properties)) {
    for (const name of Object.keys(properties)) {
      const field = properties[name];
      if (isRecord(field)) count += countRules(field, counts);
    }
  }
  if (count > 0) counts.set(schema, count);
  return count;
}
