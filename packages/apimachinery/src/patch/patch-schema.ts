import { goQuote } from '../values/go-quote.ts';
import { plain } from './strategic-merge-patch-error.ts';

/**
 * What a strategic merge patch needs to know of a kind: its JSON Schema without references. `x-kubernetes-list-type`
 * and its map keys say nothing here, as upstream; only the strategy and the merge key do.
 */
export interface PatchSchema {
  readonly title?: string;
  readonly properties?: Readonly<Record<string, PatchSchema>>;
  readonly items?: PatchSchema;
  readonly additionalProperties?: PatchSchema | boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  /** `merge`, `replace` or `retainKeys`, or two of them with a comma between. */
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
}

/** How one field is patched, and the schema of what stands in it: of the object, or of the list's elements. */
export interface FieldPatch {
  readonly strategy: string;
  readonly mergeKey: string;
  readonly schema: PatchSchema;
}

/** What every object has, whatever its schema says of it. */
export function withObjectMeta(schema: PatchSchema): PatchSchema {
  return { ...schema, properties: { ...schema.properties, metadata: objectMeta } };
}

/** Throws upstream's error for a field that a known structure does not have. */
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

/** What upstream calls the schema of elements that it cannot merge. */
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
  // Upstream cannot look into maps at all and answers 500; a schema tells what stands in them.
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

/** `retainKeys` matters to those who make patches; what is left is how to apply them. */
function strategyOf(declared: string): string {
  const strategies = declared.split(',');
  if (strategies.length === 1) return declared === 'retainKeys' ? '' : declared;
  const others = strategies.filter((strategy) => strategy !== 'retainKeys');
  if (strategies.length === 2 && others.length < 2) return others[0] ?? 'retainKeys';
  throw plain(`unexpected patch strategy: [${strategies.join(' ')}]`);
}
