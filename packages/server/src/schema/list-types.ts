/** Lists of type set or map: no element, or no key, twice. */
import { type FieldError, FieldPath, fieldError, goJson } from '@tributary/apimachinery';
import { isRecord, type SchemaNode } from './schema-node.ts';
import type { NodeSet } from './sought-nodes.ts';

/** `sought` are the schemas that contain such lists. */
export function validateListTypes(
  node: SchemaNode,
  value: unknown,
  path: FieldPath | undefined,
  sought: NodeSet,
): FieldError[] {
  if (!sought.has(node)) return [];
  if (Array.isArray(value))
    return path === undefined ? [] : validateList(node, value, path, sought);
  if (!isRecord(value)) return [];
  const { properties, additionalProperties } = node;
  return Object.entries(value).flatMap(([name, one]) => {
    const field = properties.get(name);
    if (field !== undefined) return validateListTypes(field, one, childPath(path, name), sought);
    if (!additionalProperties) return [];
    return validateListTypes(additionalProperties, one, keyPath(path, name), sought);
  });
}

export function childPath(path: FieldPath | undefined, name: string): FieldPath {
  return path === undefined ? FieldPath.root(name) : path.child(name);
}

export function keyPath(path: FieldPath | undefined, name: string): FieldPath {
  return path === undefined ? FieldPath.root(name) : path.key(name);
}

function validateList(
  node: SchemaNode,
  list: readonly unknown[],
  path: FieldPath,
  sought: NodeSet,
): FieldError[] {
  const { items } = node;
  const own = node.listType === 'atomic' ? [] : validateUnique(node, list, path);
  if (items === undefined || !sought.has(items)) return own;
  return [
    ...own,
    ...list.flatMap((one, at) => validateListTypes(items, one, path.index(at), sought)),
  ];
}

function validateUnique(
  { listType, listMapKeys }: SchemaNode,
  list: readonly unknown[],
  path: FieldPath,
): FieldError[] {
  const duplicate = (values: readonly unknown[]): FieldError[] =>
    secondPlaces(values).map((at) => fieldError.duplicate(path.index(at), values[at]));
  if (listType === 'set') return duplicate(list);
  const other = list.findIndex((one) => one !== null && !isRecord(one));
  if (other !== -1) {
    const detail = 'must be an object for an array of list-type map';
    return [fieldError.invalid(path.index(other), list[other], detail)];
  }
  return duplicate(list.map((one) => keysOf(one, listMapKeys)));
}

/** Absent keys are omitted. */
function keysOf(element: unknown, names: readonly string[]): Record<string, unknown> {
  if (!isRecord(element)) return {};
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(element, name)).map((name) => [name, element[name]]),
  );
}

/** Returns the index of each second occurrence. Lists and objects are compared by their text. */
export function secondPlaces(values: readonly unknown[]): number[] {
  const scalars = new Map<unknown, number>();
  const texts = new Map<string, number>();
  const places: number[] = [];
  for (const [at, value] of values.entries()) {
    const times =
      typeof value === 'object' && value !== null
        ? countIn(texts, goJson(value))
        : countIn(scalars, value);
    if (times === 2) places.push(at);
  }
  return places;
}

function countIn<Key>(counts: Map<Key, number>, key: Key): number {
  const times = (counts.get(key) ?? 0) + 1;
  counts.set(key, times);
  return times;
}
