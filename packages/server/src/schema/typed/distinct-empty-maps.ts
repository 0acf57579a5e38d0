/**
 * Maps whose empty value differs from an absent one during validation, as in a few of upstream's rules; the stored
 * object and its managed fields have only maps with entries.
 */
import type { KubeObject } from '@tributary/apimachinery';
import { type TypedKind, typedWith } from './typed-kind.ts';

type Members = Record<string, unknown>;

/** The same kind; each path is of fields, such as `spec.capacity`. */
export function distinguishingEmptyMaps<Object>(
  typed: TypedKind<Object>,
  paths: readonly string[],
): TypedKind<Object> {
  return typedWith(typed, { distinctEmptyMaps: paths });
}

/** Adds empty maps of the request to the object decoded from it, in place. */
export function addEmptyMaps(object: Members, sent: Members, paths: readonly string[]): void {
  for (const path of paths) {
    const { place: from, name } = placeOf(sent, path);
    if (!isEmpty(from?.[name])) continue;
    const { place: to } = placeOf(object, path);
    if (to !== undefined) to[name] = {};
  }
}

/** A copy without those maps. */
export function withoutEmptyMaps(object: KubeObject, paths: readonly string[]): KubeObject {
  return paths.reduce<Members>(
    (one, path) => withoutEmpty(one, path.split('.')),
    object,
  ) as KubeObject;
}

function withoutEmpty(object: Members, [name = '', ...rest]: readonly string[]): Members {
  const value = object[name];
  if (rest.length === 0) {
    if (!isEmpty(value)) return object;
    const { [name]: _empty, ...others } = object;
    return others;
  }
  if (!isMembers(value)) return object;
  const inner = withoutEmpty(value, rest);
  return inner === value ? object : { ...object, [name]: inner };
}

function placeOf(object: Members, path: string): { place: Members | undefined; name: string } {
  const names = path.split('.');
  const name = names.pop() ?? '';
  let place: unknown = object;
  for (const step of names) place = isMembers(place) ? place[step] : undefined;
  return { place: isMembers(place) ? place : undefined, name };
}

function isEmpty(value: unknown): boolean {
  return isMembers(value) && Object.keys(value).length === 0;
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
