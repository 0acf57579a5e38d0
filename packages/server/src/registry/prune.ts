import type { JsonSchema, ObjectSchema } from '../schema.ts';

const TYPE_META = new Set(['apiVersion', 'kind', 'metadata']);

const OBJECT_META = new Set([
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
]);

type Json = Record<string, unknown>;

/** Removes, in place, what the schema does not know; answers the paths of what was removed. */
export function pruneObject(object: Json, schema: ObjectSchema): string[] {
  const unknown: string[] = [];
  for (const name of Object.keys(object)) {
    const field = schema.fields.get(name);
    if (field !== undefined) pruneValue(object[name], field, name, unknown);
    else if (!TYPE_META.has(name)) drop(object, name, name, unknown);
  }
  if (isObject(object.metadata)) {
    for (const name of Object.keys(object.metadata)) {
      if (!OBJECT_META.has(name)) drop(object.metadata, name, `metadata.${name}`, unknown);
    }
  }
  return unknown;
}

function pruneValue(value: unknown, schema: JsonSchema, path: string, unknown: string[]): void {
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return;
  if (Array.isArray(value)) {
    const { items } = schema;
    if (!isObject(items)) return;
    value.forEach((item, index) => {
      pruneValue(item, items, `${path}[${index}]`, unknown);
    });
  } else if (isObject(value)) {
    pruneFields(value, schema, path, unknown);
  }
}

function pruneFields(value: Json, schema: JsonSchema, path: string, unknown: string[]): void {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const { additionalProperties } = schema;
  for (const name of Object.keys(value)) {
    const fieldPath = `${path}.${name}`;
    const field = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (isObject(field)) pruneValue(value[name], field, fieldPath, unknown);
    else if (field !== true) drop(value, name, fieldPath, unknown);
  }
}

function drop(object: Json, name: string, path: string, unknown: string[]): void {
  delete object[name];
  unknown.push(path);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
