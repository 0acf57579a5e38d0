/**
 * Unions and intersections without `anyOf` and `allOf` where possible: kubectl, server-side apply and OpenAPI v2
 * understand types, fields and enumerations, but nothing below those keywords.
 */
import { isDeepStrictEqual } from 'node:util';
import { isExtension, type SchemaObject } from '../schema/openapi-schema.ts';

/** A schema for values of any of the schemas; `keyword` is used when there is no plainer form. */
export function uniteSchemas(
  schemas: readonly SchemaObject[],
  keyword: 'anyOf' | 'oneOf' = 'anyOf',
): SchemaObject {
  const nullable = schemas.some((schema) => schema.nullable === true);
  const variants = distinct(schemas.filter((schema) => !isNull(schema)).map(withoutNull));
  const united = uniteVariants(variants, keyword);
  return nullable ? { ...united, nullable } : united;
}

/** A schema for values of all of the schemas; descriptions of earlier ones win. */
export function intersectSchemas(schemas: readonly SchemaObject[]): SchemaObject {
  let whole: SchemaObject = {};
  for (const schema of schemas) {
    whole = mergeSchemas(whole, schema) ?? appended(whole, schema);
  }
  return whole;
}

function appended(whole: SchemaObject, schema: SchemaObject): SchemaObject {
  if (whole.$ref !== undefined) return { allOf: [whole, schema] };
  return { ...whole, allOf: [...(whole.allOf ?? []), schema] };
}

function uniteVariants(
  variants: readonly SchemaObject[],
  keyword: 'anyOf' | 'oneOf',
): SchemaObject {
  const [only] = variants;
  if (variants.length === 1 && only) return only;
  if (variants.length === 0) return { enum: [null] };
  if (variants.every(isEnumeration)) return uniteEnumerations(variants);
  if (variants.every(isPlainObject)) return uniteObjects(variants);
  const types = new Set(variants.map((variant) => (isBare(variant) ? variant.type : undefined)));
  const intOrString = types.size === 2 && types.has('integer') && types.has('string');
  return intOrString ? INT_OR_STRING : { [keyword]: variants };
}

/** Exactly as upstream, without a format of the integer. */
const INT_OR_STRING: SchemaObject = {
  'x-kubernetes-int-or-string': true,
  anyOf: [{ type: 'integer' }, { type: 'string' }],
};

function uniteEnumerations(variants: readonly SchemaObject[]): SchemaObject {
  const types = new Set(variants.map(({ type }) => type));
  const formats = new Set(variants.map(({ format }) => format));
  const [type] = types;
  const [format] = formats;
  return {
    ...(types.size === 1 && type && { type }),
    ...(types.size === 1 && formats.size === 1 && format && { format }),
    enum: [...new Set(variants.flatMap((variant) => variant.enum ?? []))],
  };
}

/** The fields of all variants; validation decides which ones may be combined. */
function uniteObjects(variants: readonly SchemaObject[]): SchemaObject {
  const all = variants.flatMap(({ properties }) => Object.entries(properties ?? {}));
  const byName = Map.groupBy(all, ([name]) => name);
  const properties = [...byName].map(
    ([name, entries]) => [name, uniteSchemas(entries.map(([, schema]) => schema))] as const,
  );
  const required = [...byName.keys()].filter((name) =>
    variants.every((variant) => variant.required?.includes(name)),
  );
  return {
    type: 'object',
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(required.length > 0 && { required }),
  };
}

/** Undefined when keywords conflict. */
function mergeSchemas(left: SchemaObject, right: SchemaObject): SchemaObject | undefined {
  if (!mayStandTogether(left, right)) return undefined;
  const merged: Record<string, unknown> = { ...left };
  for (const [keyword, value] of Object.entries(right)) {
    const present = merged[keyword];
    if (present === undefined) merged[keyword] = value;
    else if (keyword === 'properties') {
      const properties = mergeProperties(left.properties ?? {}, right.properties ?? {});
      if (properties === undefined) return undefined;
      merged[keyword] = properties;
    } else if (keyword === 'required') {
      merged[keyword] = [...new Set([...(left.required ?? []), ...(right.required ?? [])])];
    } else if (!TEXTS.has(keyword) && !isDeepStrictEqual(present, value)) return undefined;
  }
  return merged;
}

const TEXTS: ReadonlySet<string> = new Set(['title', 'description', 'example']);

/** Only annotations may stand beside a reference. */
function mayStandTogether(left: SchemaObject, right: SchemaObject): boolean {
  const referring = left.$ref !== undefined || right.$ref !== undefined;
  return !referring || Object.keys({ ...left, ...right }).every(isAnnotation);
}

const ANNOTATIONS: ReadonlySet<string> = new Set<keyof SchemaObject>([
  '$ref',
  'title',
  'description',
  'example',
  'default',
  'nullable',
  'readOnly',
  'writeOnly',
  'deprecated',
]);

function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.has(keyword) || isExtension(keyword);
}

function mergeProperties(
  left: Readonly<Record<string, SchemaObject>>,
  right: Readonly<Record<string, SchemaObject>>,
): Record<string, SchemaObject> | undefined {
  const merged = new Map(Object.entries(left));
  for (const [name, schema] of Object.entries(right)) {
    const present = merged.get(name);
    const both = present === undefined ? schema : mergeSchemas(present, schema);
    if (both === undefined) return undefined;
    merged.set(name, both);
  }
  return Object.fromEntries(merged);
}

function distinct(schemas: readonly SchemaObject[]): SchemaObject[] {
  const remaining: SchemaObject[] = [];
  for (const schema of schemas) {
    if (!remaining.some((known) => isDeepStrictEqual(known, schema))) remaining.push(schema);
  }
  return remaining;
}

function withoutNull({ nullable: _, ...schema }: SchemaObject): SchemaObject {
  return schema;
}

function isNull(schema: SchemaObject): boolean {
  return schema.nullable === true && isDeepStrictEqual(schema.enum, [null]);
}

/** Only values, apart from annotations. */
function isEnumeration(schema: SchemaObject): boolean {
  const known = new Set(['type', 'format', 'enum', 'title', 'description']);
  return schema.enum !== undefined && Object.keys(schema).every((keyword) => known.has(keyword));
}

function isPlainObject(schema: SchemaObject): boolean {
  const known = new Set(['type', 'properties', 'required', 'title', 'description']);
  return schema.type === 'object' && Object.keys(schema).every((keyword) => known.has(keyword));
}

function isBare(schema: SchemaObject): boolean {
  return Object.keys(schema).every((keyword) => keyword === 'type' || keyword === 'format');
}
