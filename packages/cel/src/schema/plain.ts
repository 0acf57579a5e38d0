import type { Schema } from './schema.ts';

/** Scalars that are what they are in JSON, so that data can be compared without being typed first. */
export function isPlain(schema: Schema): boolean {
  if (schema.nullable === true || schema['x-kubernetes-int-or-string'] === true) {
    return false;
  }
  switch (schema.type) {
    case 'integer':
    case 'boolean':
      return true;
    case 'string':
      return schema.format === undefined;
    default:
      return false;
  }
}
