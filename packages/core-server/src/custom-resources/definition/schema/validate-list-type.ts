/** Validates `x-kubernetes-list-type`, its keys, and `x-kubernetes-map-type`. */

import type { JSONSchemaProps } from '@tributary/api/apiextensions-v1';
import { type FieldError, type FieldPath, fieldError } from '@tributary/apimachinery';
import { itemsText } from '../internal-text.ts';

const LIST_TYPE = 'x-kubernetes-list-type';
const LIST_KEYS = 'x-kubernetes-list-map-keys';
const MAP_TYPE = 'x-kubernetes-map-type';
const LIST_TYPES = ['atomic', 'set', 'map'];
const MAP_TYPES = ['atomic', 'granular'];

export function validateMapType(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const mapType = schema[MAP_TYPE];
  if (mapType === undefined) return [];
  return [
    ...ofType(schema, path, 'object', MAP_TYPE),
    ...(MAP_TYPES.includes(mapType)
      ? []
      : [fieldError.notSupported(path.child(MAP_TYPE), mapType, MAP_TYPES)]),
  ];
}

export function validateListType(
  schema: JSONSchemaProps,
  path: FieldPath,
  { requireAtomicSets }: { readonly requireAtomicSets: () => boolean },
): FieldError[] {
  const listType = schema[LIST_TYPE];
  const keys = schema[LIST_KEYS] ?? [];
  if (listType === undefined && keys.length === 0) return [];
  const errors: FieldError[] = [];
  if (listType !== undefined && schema.type !== 'array') {
    errors.push(...ofType(schema, path, 'array', LIST_TYPE));
  } else if (partlyOwned(schema) !== undefined && requireAtomicSets()) {
    errors.push(...validateSet(schema, path));
  }
  const place = path.child(LIST_TYPE);
  if (listType !== undefined && !LIST_TYPES.includes(listType)) {
    errors.push(fieldError.notSupported(place, listType, LIST_TYPES));
  }
  const mustBeMap = 'must be map if x-kubernetes-list-map-keys is non-empty';
  if (keys.length > 0 && listType === undefined) {
    errors.push(fieldError.required(place, mustBeMap));
  } else if (keys.length > 0 && listType !== 'map') {
    errors.push(fieldError.invalid(place, listType, mustBeMap));
  }
  return listType === 'map' ? [...errors, ...validateMapList(schema, keys, path)] : errors;
}

function ofType(
  { type = '' }: JSONSchemaProps,
  path: FieldPath,
  wanted: string,
  keyword: string,
): FieldError[] {
  if (type === wanted) return [];
  const place = path.child('type');
  const detail = `must be ${wanted} if ${keyword} is specified`;
  return [
    type === '' ? fieldError.required(place, detail) : fieldError.invalid(place, type, detail),
  ];
}

/** Items of a set are compared as a whole, so field managers cannot own parts of one. */
function validateSet(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const keyword = partlyOwned(schema);
  if (keyword === undefined) return [];
  // As upstream, both errors print the list type of the items.
  const { items } = schema;
  const shown = Array.isArray(items) ? undefined : items?.[LIST_TYPE];
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  return [fieldError.invalid(path.child('items', keyword), shown ?? null, detail)];
}

/** The keyword that makes the items of a set non-atomic. */
export function partlyOwned(schema: JSONSchemaProps): string | undefined {
  const { items } = schema;
  if (schema[LIST_TYPE] !== 'set' || items === undefined || Array.isArray(items)) return undefined;
  if (items.type === 'array') {
    // Lists are atomic by default, objects are not.
    return (items[LIST_TYPE] ?? 'atomic') === 'atomic' ? undefined : LIST_TYPE;
  }
  if (items.type === 'object') return items[MAP_TYPE] === 'atomic' ? undefined : MAP_TYPE;
  return undefined;
}

function validateMapList(
  { items }: JSONSchemaProps,
  keys: readonly string[],
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const place = path.child('items');
  if (keys.length === 0) {
    const detail = 'must not be empty if x-kubernetes-list-type is map';
    errors.push(fieldError.required(path.child(LIST_KEYS), detail));
  }
  if (items === undefined) {
    const detail = 'must have a schema if x-kubernetes-list-type is map';
    return [...errors, fieldError.required(place, detail)];
  }
  if (Array.isArray(items)) {
    const detail = 'must only have a single schema if x-kubernetes-list-type is map';
    return [...errors, fieldError.invalid(place, itemsText(items), detail)];
  }
  if (items.type !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    return [...errors, fieldError.invalid(place.child('type'), items.type ?? '', detail)];
  }
  const seen = new Set<string>();
  for (const key of keys) {
    // Each of these errors prints all keys.
    if (errors.length * keys.length >= SHOWN_KEYS_MAX) break;
    errors.push(...validateKey(items, { key, keys, isRepeated: seen.has(key) }, path));
    seen.add(key);
  }
  return errors;
}

const SHOWN_KEYS_MAX = 10_000;

interface Key {
  readonly key: string;
  readonly keys: readonly string[];
  readonly isRepeated: boolean;
}

function validateKey(
  items: JSONSchemaProps,
  { key, keys, isRepeated }: Key,
  path: FieldPath,
): FieldError[] {
  const place = path.child(LIST_KEYS);
  const field = propertyOf(items, key);
  const errors: FieldError[] = [];
  if (field === undefined) {
    errors.push(fieldError.invalid(place, keys, 'entries must all be names of item properties'));
  } else if (field.type === 'array' || field.type === 'object') {
    const at = path.child('items', 'properties').key(key).child('type');
    const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
    errors.push(fieldError.invalid(at, items.type, detail));
  }
  if (isRepeated) {
    errors.push(fieldError.invalid(place, keys, 'must not contain duplicate entries'));
  }
  return errors;
}

/** Fields that identify list items must be present. */
export function validateMapKeys(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const { items, [LIST_TYPE]: listType } = schema;
  if (items === undefined || Array.isArray(items)) return [];
  if (listType !== 'set' && listType !== 'map') return [];
  const place = path.child('items');
  const errors: FieldError[] = [];
  if (items.nullable) {
    const detail = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
    errors.push(fieldError.forbidden(place.child('nullable'), detail));
  }
  const keys = listType === 'map' ? (schema[LIST_KEYS] ?? []) : [];
  return [...errors, ...keys.flatMap((key) => validateKeyField(items, key, place))];
}

function validateKeyField(items: JSONSchemaProps, key: string, path: FieldPath): FieldError[] {
  const field = propertyOf(items, key);
  if (field === undefined) return [];
  const place = path.child('properties').key(key);
  const because = 'this property is in x-kubernetes-list-map-keys, so it';
  return [
    ...(items.required?.includes(key) || field.default !== undefined
      ? []
      : [
          fieldError.required(
            place.child('default'),
            `${because} must have a default or be a required property`,
          ),
        ]),
    ...(field.nullable
      ? [fieldError.forbidden(place.child('nullable'), `${because} cannot be nullable`)]
      : []),
  ];
}

function propertyOf({ properties }: JSONSchemaProps, name: string): JSONSchemaProps | undefined {
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}
