import { goQuote } from '../values/go-quote.ts';
import { plain } from './strategic-merge-patch-error.ts';

/**
 * The JSON Schema of a kind, without references, for a strategic merge patch. As upstream, only the patch strategy and
 * the merge key apply, not `x-kubernetes-list-type` and its map keys.
 */
export interface PatchSchema {
  readonly title?: string;
  readonly properties?: Readonly<Record<string, PatchSchema>>;
  readonly items?: PatchSchema;
  readonly additionalProperties?: PatchSchema | boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  /** `merge`, `replace` or `retainKeys`, or two of them separated by a comma. */
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
}

/** The patch strategy of a field, and the schema of its object or of its list's elements. */
export interface FieldPatch {
  readonly strategy: string;
  readonly mergeKey: string;
  readonly schema: PatchSchema;
}

/** Replaces the schema of `metadata` by that of ObjectMeta. */
export function withObjectMeta(schema: PatchSchema): PatchSchema {
  return { ...schema, properties: { ...schema.properties, metadata: objectMeta } };
}

/** Throws upstream's error for an unknown field of a struct. */
export function objectField(schema: PatchSchema, name: string): FieldPatch {
  return describe(fieldSchema(schema, name));
}

export function listField(schema: PatchSchema, name: string): FieldPatch {
  const field = fieldSchema(schema, name);
  if (field.items?.items !== undefined) throw plain('unexpected slice of slice');
  if (field.items === undefined && (field.properties ?? field.additionalProperties)) {
    throw plain(`expected slice or array type, but got: ${schemaKind(schema)}`);
  }
  return { ...describe(field), schema: field.items ?? untyped };
}

/** Upstream's name of the schema in messages. */
export function schemaKind(schema: PatchSchema): string {
  return schema.properties === undefined ? 'map' : 'struct';
}

const untyped: PatchSchema = {};
const text: PatchSchema = {};
const texts: PatchSchema = { items: text };
const textMap: PatchSchema = { additionalProperties: text };

const objectMeta: PatchSchema = {
  title: 'ObjectMeta',
  properties: {
    labels: textMap,
    annotations: textMap,
    finalizers: { ...texts, 'x-kubernetes-patch-strategy': 'merge' },
    ownerReferences: {
      items: { title: 'OwnerReference', properties: {} },
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'uid',
    },
    managedFields: {
      items: { title: 'ManagedFieldsEntry', properties: { fieldsV1: untyped } },
    },
  },
};

function fieldSchema(schema: PatchSchema, name: string): PatchSchema {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined && Object.hasOwn(properties, name)) {
    return properties[name] ?? untyped;
  }
  // Upstream returns 500 for any map; here the schema describes its members.
  if (typeof additionalProperties === 'object') return additionalProperties;
  const open = additionalProperties === true || schema['x-kubernetes-preserve-unknown-fields'];
  if (properties === undefined || open === true) return untyped;
  const structure = schema.title ?? '';
  throw plain(
    `unable to find api field in struct ${structure} for the json field ${goQuote(name)}`,
  );
}

function describe(field: PatchSchema): FieldPatch {
  return {
    strategy: strategyOf(field['x-kubernetes-patch-strategy'] ?? ''),
    mergeKey: field['x-kubernetes-patch-merge-key'] ?? '',
    schema: field,
  };
}

/** Drops `retainKeys`, which affects only clients that create patches. */
function strategyOf(declared: string): string {
  const strategies = declared.split(',');
  if (strategies.length === 1) return declared === 'retainKeys' ? '' : declared;
  const others = strategies.filter((strategy) => strategy !== 'retainKeys');
  if (strategies.length === 2 && others.length < 2) return others[0] ?? 'retainKeys';
  throw plain(`unexpected patch strategy: [${strategies.join(' ')}]`);
}
