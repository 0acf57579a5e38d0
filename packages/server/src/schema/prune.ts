import { GoTypeError, printGoValue } from '@tributary/apimachinery';
import { embeddedMetaError } from './embedded-resources.ts';
import type { ObjectSchema } from './object-schema.ts';
import { EMPTY_NODE, isRecord, type SchemaNode } from './schema-node.ts';
import { Walk } from './walk.ts';

const TYPE_META: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

type Json = Record<string, unknown>;

/**
 * Removes fields that the schema does not specify, in place; returns their paths in the order of the document. Throws a
 * `GoTypeError` for an embedded object with type or metadata that cannot be decoded.
 */
export function pruneObject(object: Json, { structure }: ObjectSchema): string[] {
  const pruning: Pruning = { walk: new Walk(), unknown: [], structures: new Map() };
  const { properties, additionalProperties, preserveUnknownFields } = structure;
  for (const name of Object.keys(object)) {
    // A schema of the whole object may restrict these, but does not specify their fields.
    if (name === 'metadata') pruneMetadata(object.metadata, 'metadata', pruning.unknown);
    if (TYPE_META.has(name)) continue;
    const field = properties.get(name) ?? additionalProperties;
    if (field) pruneField(object, name, field, pruning);
    else if (!preserveUnknownFields) drop(object, name, name, pruning.unknown);
  }
  return pruning.unknown;
}

interface Pruning {
  readonly walk: Walk;
  readonly unknown: string[];
  /** Nodes whose alternatives are merged already. */
  readonly structures: Map<SchemaNode, SchemaNode>;
}

function pruneField(object: Json, name: string, field: SchemaNode, pruning: Pruning): void {
  const value = object[name];
  if (typeof value !== 'object') return;
  pruning.walk.enter(name);
  pruneValue(value, structureOf(field, pruning), false, pruning);
  pruning.walk.leave();
}

/** Elements inherit `free` from their list: unknown fields stay, whatever the schema specifies. */
function pruneValue(value: unknown, node: SchemaNode, free: boolean, pruning: Pruning): void {
  const preserve = free || node.preserveUnknownFields;
  if (Array.isArray(value)) pruneElements(value, node, preserve, pruning);
  else if (isRecord(value)) pruneFields(value, node, preserve, pruning);
}

function pruneElements(
  list: readonly unknown[],
  { items, tuple }: SchemaNode,
  preserve: boolean,
  pruning: Pruning,
): void {
  for (let at = 0; at < list.length; at += 1) {
    const value = list[at];
    if (typeof value !== 'object') continue;
    const element = (tuple === undefined ? items : tuple[at]) ?? EMPTY_NODE;
    pruning.walk.enter(at);
    pruneValue(value, structureOf(element, pruning), preserve, pruning);
    pruning.walk.leave();
  }
}

function pruneFields(value: Json, node: SchemaNode, preserve: boolean, pruning: Pruning): void {
  const { properties, additionalProperties, embeddedResource } = node;
  for (const name of Object.keys(value)) {
    if (embeddedResource && TYPE_META.has(name)) {
      pruneTypeMeta(value, name, pruning);
      continue;
    }
    const field = properties.get(name) ?? additionalProperties;
    if (field) pruneField(value, name, field, pruning);
    else if (!preserve) drop(value, name, `${pruning.walk.path}.${name}`, pruning.unknown);
  }
}

/** A node merged with the fields of its alternatives. */
function structureOf(node: SchemaNode, { structures }: Pruning): SchemaNode {
  if (node.allOf.length + node.anyOf.length + node.oneOf.length === 0) return node;
  const known = structures.get(node) ?? united(alternativesOf(node));
  structures.set(node, known);
  return known;
}

function alternativesOf(node: SchemaNode): SchemaNode[] {
  const nodes = new Set<SchemaNode>([node]);
  // A set that grows while it is walked: references may be circular.
  for (const { allOf, anyOf, oneOf } of nodes) {
    for (const alternative of [...allOf, ...anyOf, ...oneOf]) nodes.add(alternative);
  }
  return [...nodes];
}

function united(nodes: readonly SchemaNode[]): SchemaNode {
  const named = Map.groupBy(
    nodes.flatMap(({ properties }) => [...properties]),
    ([name]) => name,
  );
  return {
    ...EMPTY_NODE,
    properties: new Map(
      [...named].map(([name, fields]) => [name, oneOf(fields.map(([, field]) => field))]),
    ),
    additionalProperties: someOf(nodes.flatMap((node) => node.additionalProperties || [])),
    items: someOf(nodes.flatMap((node) => node.items ?? [])),
    tuple: nodes.find((node) => node.tuple !== undefined)?.tuple,
    preserveUnknownFields: nodes.some((node) => node.preserveUnknownFields),
    embeddedResource: nodes.some((node) => node.embeddedResource),
  };
}

function someOf(nodes: readonly SchemaNode[]): SchemaNode | undefined {
  return nodes.length === 0 ? undefined : oneOf(nodes);
}

/** Merged lazily, with the first value. */
function oneOf(nodes: readonly SchemaNode[]): SchemaNode {
  const [only, ...others] = nodes;
  return only !== undefined && others.length === 0 ? only : { ...EMPTY_NODE, anyOf: nodes };
}

function pruneTypeMeta(resource: Json, name: string, { walk, unknown }: Pruning): void {
  const value = resource[name];
  const fieldPath = `${walk.path}.${name}`;
  if (name !== 'metadata') {
    if (typeof value !== 'string') throw malformed(fieldPath, value, 'must be a string');
    return;
  }
  const error = embeddedMetaError(value);
  if (error !== undefined) throw malformed(fieldPath, value, error);
  pruneMetadata(value, fieldPath, unknown);
  // Go's struct has no nulls.
  if (value === null) resource.metadata = {};
  else if (isRecord(value)) dropNulls(value);
}

function malformed(path: string, value: unknown, why: string): GoTypeError {
  return new GoTypeError(`${path}: Invalid value: ${printGoValue(value)}: ${why}`);
}

function dropNulls(metadata: Json): void {
  for (const [name, value] of Object.entries(metadata)) {
    if (value === null) delete metadata[name];
  }
}

const OBJECT_META: ReadonlyMap<string, ReadonlySet<string> | undefined> = new Map([
  ['name', undefined],
  ['generateName', undefined],
  ['namespace', undefined],
  ['selfLink', undefined],
  ['uid', undefined],
  ['resourceVersion', undefined],
  ['generation', undefined],
  ['creationTimestamp', undefined],
  ['deletionTimestamp', undefined],
  ['deletionGracePeriodSeconds', undefined],
  ['labels', undefined],
  ['annotations', undefined],
  [
    'ownerReferences',
    new Set(['apiVersion', 'kind', 'name', 'uid', 'controller', 'blockOwnerDeletion']),
  ],
  ['finalizers', undefined],
  [
    'managedFields',
    new Set([
      'manager',
      'operation',
      'apiVersion',
      'time',
      'fieldsType',
      'fieldsV1',
      'subresource',
    ]),
  ],
]);

function pruneMetadata(metadata: unknown, path: string, unknown: string[]): void {
  if (!isRecord(metadata)) return;
  for (const [name, value] of Object.entries(metadata)) {
    if (!OBJECT_META.has(name)) drop(metadata, name, `${path}.${name}`, unknown);
    const fields = OBJECT_META.get(name);
    if (fields === undefined || !Array.isArray(value)) continue;
    for (const [at, one] of value.entries()) {
      if (!isRecord(one)) continue;
      for (const inner of Object.keys(one)) {
        if (!fields.has(inner)) drop(one, inner, `${path}.${name}[${at}].${inner}`, unknown);
      }
    }
  }
}

function drop(object: Json, name: string, path: string, unknown: string[]): void {
  delete object[name];
  unknown.push(path);
}
