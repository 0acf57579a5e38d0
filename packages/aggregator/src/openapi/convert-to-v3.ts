/**
 * Converts OpenAPI 2.0 to 3.0, for backends that have only the former. As lossy as upstream's: null, alternatives and
 * defaults of built-in types do not exist in 2.0.
 */
import { mapReferences, parseReference } from './references.ts';
import { documentOf, isObject, type JsonObject, type Specification } from './specification.ts';

const METHODS: ReadonlySet<string> = new Set([
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
]);
/** Keywords of a parameter that belong to its schema in 3.0. */
const SIMPLE_KEYWORDS: ReadonlySet<string> = new Set([
  'type',
  'format',
  'items',
  'default',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'enum',
  'multipleOf',
]);

/** Shared parameters and responses are inlined. */
export function convertToV3(specification: Specification): JsonObject {
  const { info, externalDocs } = documentOf(specification);
  const convert = converter(specification);
  return {
    openapi: '3.0.0',
    info: info ?? { title: '', version: '' },
    ...(externalDocs !== undefined && { externalDocs }),
    paths: mapMembers(Object.fromEntries(specification.paths), (_, item) =>
      isObject(item) ? convert.pathItem(item) : item,
    ),
    components: {
      schemas: mapMembers(Object.fromEntries(specification.definitions), (_, definition) =>
        schemaV3(definition),
      ),
    },
  };
}

interface Converter {
  pathItem(item: JsonObject): JsonObject;
}

function converter(specification: Specification): Converter {
  const resolve = (value: unknown): JsonObject => {
    if (!isObject(value)) return {};
    const reference = typeof value.$ref === 'string' ? parseReference(value.$ref) : undefined;
    const shared = reference && specification[reference.section].get(reference.name);
    return isObject(shared) ? shared : value;
  };

  const operation = (value: JsonObject): JsonObject => {
    const { consumes, produces, schemes, parameters, responses, ...rest } = value;
    const resolved = listOf(parameters).map(resolve);
    const body = resolved.find(isBody);
    const others = resolved.filter((one) => !isBody(one)).map(parameterV3);
    return {
      ...rest,
      ...(others.length > 0 && { parameters: others }),
      ...(body && { requestBody: bodyV3(body, typesOf(consumes, specification.head.consumes)) }),
      responses: mapMembers(isObject(responses) ? responses : {}, (code, response) =>
        code.startsWith('x-')
          ? response
          : responseV3(resolve(response), typesOf(produces, specification.head.produces)),
      ),
    };
  };

  return {
    pathItem: (item) =>
      mapMembers(item, (key, value) => {
        if (METHODS.has(key) && isObject(value)) return operation(value);
        return key === 'parameters' ? listOf(value).map(resolve).map(parameterV3) : value;
      }),
  };
}

function parameterV3(parameter: JsonObject): JsonObject {
  const { schema, collectionFormat, ...rest } = parameter;
  const entries = Object.entries(rest);
  const simple = entries.filter(([key]) => SIMPLE_KEYWORDS.has(key));
  return {
    ...Object.fromEntries(entries.filter(([key]) => !SIMPLE_KEYWORDS.has(key))),
    schema: schema === undefined ? Object.fromEntries(simple) : schemaV3(schema),
  };
}

function bodyV3(
  { schema, required, description }: JsonObject,
  types: readonly string[],
): JsonObject {
  return {
    ...(description !== undefined && { description }),
    content: contentOf(types, schema),
    ...(required === true && { required }),
  };
}

function responseV3(response: JsonObject, types: readonly string[]): JsonObject {
  const { schema, headers, examples, ...rest } = response;
  return { ...rest, ...(schema !== undefined && { content: contentOf(types, schema) }) };
}

function contentOf(types: readonly string[], described: unknown): JsonObject {
  const schema = schemaV3(described);
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

/** In 3.0 a reference has no siblings, so they move into an `allOf`. */
function schemaV3(value: unknown): unknown {
  return wrapReferences(mapReferences(value, referenceV3));
}

function referenceV3(reference: string): string {
  return reference.replace(/^#\/definitions\//, '#/components/schemas/');
}

function wrapReferences(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { properties, additionalProperties, items, allOf, $ref } = value;
  const inner: JsonObject = {
    ...value,
    ...(isObject(properties) && {
      properties: mapMembers(properties, (_, one) => wrapReferences(one)),
    }),
    ...(isObject(additionalProperties) && {
      additionalProperties: wrapReferences(additionalProperties),
    }),
    ...(isObject(items) && { items: wrapReferences(items) }),
    ...(Array.isArray(allOf) && { allOf: allOf.map(wrapReferences) }),
  };
  if (typeof $ref !== 'string' || Object.keys(value).length === 1) return inner;
  const { $ref: _, ...beside } = inner;
  return { ...beside, allOf: [{ $ref }] };
}

function isBody(parameter: JsonObject): boolean {
  return parameter.in === 'body';
}

function typesOf(own: unknown, ofAll: unknown): readonly string[] {
  const types = listOf(own ?? ofAll).filter((type) => typeof type === 'string');
  return types.length > 0 ? types : ['application/json'];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function mapMembers(
  object: JsonObject,
  change: (name: string, value: unknown) => unknown,
): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, change(name, value)]),
  );
}
