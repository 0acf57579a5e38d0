import type { JSONSchemaProps } from '@tributary/api/apiextensions-v1';

/** Whether a schema or one nested in it satisfies the predicate. Outermost first. */
export function someSchema(
  schema: JSONSchemaProps | undefined,
  has: (schema: JSONSchemaProps) => boolean,
): boolean {
  if (schema === undefined) return false;
  if (has(schema)) return true;
  const among = (all: readonly JSONSchemaProps[] | undefined) =>
    all?.some((one) => someSchema(one, has)) ?? false;
  const within = (all: Readonly<Record<string, JSONSchemaProps>> | undefined) =>
    all !== undefined && among(Object.values(all));
  const { items, additionalProperties, additionalItems, dependencies } = schema;
  return (
    (Array.isArray(items) ? among(items) : someSchema(items, has)) ||
    among(schema.allOf) ||
    among(schema.anyOf) ||
    among(schema.oneOf) ||
    someSchema(schema.not, has) ||
    within(schema.properties) ||
    (typeof additionalProperties === 'object' && someSchema(additionalProperties, has)) ||
    within(schema.patternProperties) ||
    (typeof additionalItems === 'object' && someSchema(additionalItems, has)) ||
    within(schema.definitions) ||
    Object.values(dependencies ?? {}).some((one) => !Array.isArray(one) && someSchema(one, has))
  );
}
