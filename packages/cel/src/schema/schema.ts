import type { Json } from '../values/json.ts';

/** The parts of a structural schema that CEL uses, in the words of OpenAPI. */
export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly enum?: readonly Json[];
  readonly default?: Json;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
}

/** The schema of a property; never one of the prototype. */
export function propertyOf(schema: Schema, name: string): Schema | undefined {
  const { properties } = schema;
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** The schema of the values of a map; undefined when any or none are allowed. */
export function valuesOf({ additionalProperties }: Schema): Schema | undefined {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

const TEXT: Schema = { type: 'string' };

/** A resource always has its type and its names, also when the schema does not say so. */
export function withTypeAndObjectMeta(schema: Schema): Schema {
  const metadata = propertyOf(schema, 'metadata');
  const complete =
    propertyOf(schema, 'kind')?.type === 'string' &&
    propertyOf(schema, 'apiVersion')?.type === 'string' &&
    metadata?.type === 'object' &&
    propertyOf(metadata, 'name')?.type === 'string' &&
    propertyOf(metadata, 'generateName')?.type === 'string';
  if (complete) {
    return schema;
  }
  return {
    ...schema,
    properties: {
      ...schema.properties,
      kind: TEXT,
      apiVersion: TEXT,
      metadata: { type: 'object', properties: { name: TEXT, generateName: TEXT } },
    },
  };
}
