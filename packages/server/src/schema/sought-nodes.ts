import type { JsonSchema } from './json-schema.ts';
import { isRecord, type SchemaNode } from './schema-node.ts';
import { nodesContaining } from './walk.ts';

/** Schemas that contain a schema of some kind, so that a walk in search of it skips the rest of a value. */
export interface NodeSet {
  has(node: SchemaNode): boolean;
}

export interface SearchTargets {
  /** Schemas that contain embedded objects. */
  readonly embeddedResources: NodeSet;
  /** Schemas that contain lists of type set or map. */
  readonly uniqueLists: NodeSet;
}

/** The source schema, when it describes the whole object, and its node. */
interface SearchedSchema {
  readonly root: JsonSchema | undefined;
  readonly structure: SchemaNode;
}

export function searchTargets({ root, structure }: SearchedSchema): SearchTargets {
  if (root !== undefined) return searchSources(root);
  return {
    embeddedResources: nodesContaining(structure, (node) => node.embeddedResource),
    uniqueLists: nodesContaining(structure, (node) => node.listType !== 'atomic'),
  };
}

/** Searches the sources: of a large schema few nodes are ever made. */
function searchSources(root: JsonSchema): SearchTargets {
  const embedding = new Set<JsonSchema>();
  const counting = new Set<JsonSchema>();
  visit(root);
  return { embeddedResources: nodesOf(embedding), uniqueLists: nodesOf(counting) };

  function visit(schema: JsonSchema): void {
    if (schema['x-kubernetes-embedded-resource'] === true) embedding.add(schema);
    const listType = schema['x-kubernetes-list-type'];
    if (listType === 'map' || listType === 'set') counting.add(schema);
    const { properties, additionalProperties, items } = schema;
    if (isRecord(properties)) {
      for (const name of Object.keys(properties)) visitWithin(schema, properties[name]);
    }
    visitWithin(schema, additionalProperties);
    visitWithin(schema, items);
  }

  function visitWithin(outer: JsonSchema, inner: unknown): void {
    if (!isRecord(inner)) return;
    visit(inner);
    if (embedding.has(inner)) embedding.add(outer);
    if (counting.has(inner)) counting.add(outer);
  }
}

function nodesOf(sources: ReadonlySet<JsonSchema>): NodeSet {
  return { has: ({ source }) => source !== undefined && sources.has(source) };
}
