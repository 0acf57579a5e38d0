import { cloneJson } from '@tributary/apimachinery';
import type { ObjectSchema } from './object-schema.ts';
import type { SchemaNode } from './schema-node.ts';

/**
 * Sets absent fields to their defaults, in place, wherever the object around them exists. A null that the schema does
 * not allow is replaced by the default; without a default it is removed, unless nulls are retained, but an element of a
 * list stays.
 */
export function applySchemaDefaults(
  object: Record<string, unknown>,
  schema: ObjectSchema,
  { keepsNulls = false }: { readonly keepsNulls?: boolean } = {},
): void {
  fill(object, schema.structure, { sent: !keepsNulls, depth: 0 });
}

interface Place {
  /** Whether nulls come from a client and are removed; nulls in defaults are the author's. */
  readonly sent: boolean;
  readonly depth: number;
}

/** Deeper than any real object; a default that contains itself would not end. */
const DEPTH_MAX = 1000;

function fill(value: unknown, node: SchemaNode | undefined, place: Place): void {
  if (node === undefined || typeof value !== 'object' || value === null) return;
  if (place.depth > DEPTH_MAX) throw new Error('the defaults of a recursive schema never end');
  if (Array.isArray(value)) fillElements(value, node, place);
  else fillFields(value as Record<string, unknown>, node, place);
}

function fillElements(list: unknown[], node: SchemaNode, place: Place): void {
  const inner = { sent: place.sent, depth: place.depth + 1 };
  for (let at = 0; at < list.length; at += 1) {
    const element = elementNode(node, at);
    if (isUnwantedNull(list[at], element)) list[at] = cloneJson(element.default ?? null);
    fill(list[at], element, inner);
  }
}

function fillFields(value: Record<string, unknown>, node: SchemaNode, place: Place): void {
  const inner = { sent: place.sent, depth: place.depth + 1 };
  for (const name of Object.keys(value)) {
    const field = fieldNode(node, name);
    if (!isUnwantedNull(value[name], field)) fill(value[name], field, inner);
    else if (hasDefault(field)) setDefault(value, name, field, place);
    else if (place.sent) delete value[name];
  }
  for (const [name, field] of node.properties) {
    if (hasDefault(field) && !Object.hasOwn(value, name)) setDefault(value, name, field, place);
  }
}

function setDefault(
  object: Record<string, unknown>,
  name: string,
  node: SchemaNode,
  { depth }: Place,
): void {
  const value = cloneJson(node.default);
  setField(object, name, value);
  fill(value, node, { sent: false, depth: depth + 1 });
}

/** Like an assignment, but `__proto__` is a field like any other. */
function setField(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

function hasDefault(node: SchemaNode): boolean {
  return node.default !== undefined && node.default !== null;
}

function isUnwantedNull(value: unknown, node: SchemaNode | undefined): node is SchemaNode {
  return value === null && node !== undefined && !node.nullable;
}

function fieldNode(node: SchemaNode, name: string): SchemaNode | undefined {
  return node.properties.get(name) ?? (node.additionalProperties || undefined);
}

function elementNode({ items, tuple }: SchemaNode, at: number): SchemaNode | undefined {
  return tuple === undefined ? items : tuple[at];
}
