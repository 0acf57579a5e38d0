export type SchemaType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';

/**
 * A schema object of OpenAPI 3.0, from which both document versions are made. One difference: `$ref` is the bare name
 * of a definition, and may have other keywords beside it.
 */
export interface SchemaObject {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: SchemaType;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly enum?: readonly unknown[];
  readonly multipleOf?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly items?: SchemaObject;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, SchemaObject>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: SchemaObject | boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly allOf?: readonly SchemaObject[];
  readonly anyOf?: readonly SchemaObject[];
  readonly oneOf?: readonly SchemaObject[];
  readonly not?: SchemaObject;
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
  readonly deprecated?: boolean;
  readonly [extension: `x-${string}`]: unknown;
}

/** Any value. Not an empty schema: kubectl explain takes that for a missing one and fails. */
export const ANYTHING: SchemaObject = { 'x-kubernetes-preserve-unknown-fields': true };

/** The schema with a function applied to each direct subschema. */
export function mapSubschemas(
  schema: SchemaObject,
  change: (inner: SchemaObject) => SchemaObject,
): SchemaObject {
  const { items, properties, additionalProperties, allOf, anyOf, oneOf, not } = schema;
  return {
    ...schema,
    ...(items && { items: change(items) }),
    ...(properties && { properties: mapValues(properties, change) }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: change(additionalProperties),
    }),
    ...(allOf && { allOf: allOf.map(change) }),
    ...(anyOf && { anyOf: anyOf.map(change) }),
    ...(oneOf && { oneOf: oneOf.map(change) }),
    ...(not && { not: change(not) }),
  };
}

/** The names of all definitions that a schema refers to. */
export function referencesOf(schema: SchemaObject): Set<string> {
  const names = new Set<string>();
  const visit = (inner: SchemaObject): SchemaObject => {
    if (inner.$ref !== undefined) names.add(inner.$ref);
    return mapSubschemas(inner, visit);
  };
  visit(schema);
  return names;
}

export function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> {
  // `fromEntries` defines properties: a field called `__proto__` stays a field.
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

export function isExtension(keyword: string): keyword is `x-${string}` {
  return keyword.startsWith('x-');
}
