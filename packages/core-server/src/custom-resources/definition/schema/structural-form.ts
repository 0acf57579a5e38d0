import type { JSONSchemaProps } from '@tributary/api/apiextensions-v1';

/** The error of a schema that cannot be represented as a structural one; undefined for others. */
export function structuralFormError(schema: JSONSchemaProps): string | undefined {
  for (const [keyword, name] of UNSUPPORTED) {
    // An empty reference counts as absent.
    if (schema[keyword] !== undefined && schema[keyword] !== '') {
      return `OpenAPIV3Schema '${name}' is not supported`;
    }
  }
  const inValidations =
    errorIn(schema.not) ??
    firstError(schema.allOf) ??
    firstError(schema.anyOf) ??
    firstError(schema.oneOf);
  if (inValidations !== undefined) return inValidations;
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  const { items, properties, additionalProperties } = schema;
  if (Array.isArray(items)) return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  return (
    errorIn(items) ??
    firstError(properties && Object.values(properties)) ??
    errorIn(additionalProperties)
  );
}

const UNSUPPORTED: readonly (readonly [keyof JSONSchemaProps, string])[] = [
  ['id', 'id'],
  ['$schema', 'schema'],
  ['$ref', '$ref'],
  ['patternProperties', 'patternProperties'],
  ['dependencies', 'dependencies'],
  ['additionalItems', 'additionalItems'],
  ['definitions', 'definitions'],
];

function errorIn(schema: JSONSchemaProps | boolean | undefined): string | undefined {
  return typeof schema === 'object' ? structuralFormError(schema) : undefined;
}

function firstError(schemas: readonly JSONSchemaProps[] | undefined): string | undefined {
  if (schemas === undefined) return undefined;
  for (const schema of schemas) {
    const error = structuralFormError(schema);
    if (error !== undefined) return error;
  }
  return undefined;
}
