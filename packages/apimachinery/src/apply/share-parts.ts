import { setMember } from '../json/json-object.ts';
import { isMap, type JsonMap } from './type.ts';

/**
 * Replaces every part of a value that has the same JSON as its counterpart in another value by that counterpart, so that
 * later comparisons stop at identical parts. Modifies neither argument.
 */
export function shareParts<T>(value: T, other: unknown): T {
  return shared(value, other) as T;
}

function shared(value: unknown, other: unknown): unknown {
  if (value === other || typeof value !== 'object' || typeof other !== 'object') return value;
  if (Array.isArray(value)) return Array.isArray(other) ? sharedList(value, other) : value;
  return isMap(value) && isMap(other) ? sharedMap(value, other) : value;
}

function sharedList(value: readonly unknown[], other: readonly unknown[]): readonly unknown[] {
  let copy = value.length === other.length ? undefined : [...value];
  for (let index = 0; index < value.length; index += 1) {
    const part = shared(value[index], other[index]);
    if (copy !== undefined) copy[index] = part;
    else if (part !== other[index]) {
      copy = [...other.slice(0, index), part, ...value.slice(index + 1)];
    }
  }
  return copy ?? other;
}

function sharedMap(value: JsonMap, other: JsonMap): JsonMap {
  const others = Object.keys(other);
  let copy: Record<string, unknown> | undefined;
  let count = 0;
  for (const name in value) {
    // Another order of fields is different JSON. The first difference makes a copy.
    const isInOrder = name === others[count];
    const member = value[name];
    const counterpart = isInOrder || Object.hasOwn(other, name) ? other[name] : undefined;
    const part = shared(member, counterpart);
    if (copy === undefined && !(isInOrder && part === counterpart)) {
      copy = withFirst(value, other, others.slice(0, count));
    }
    if (copy !== undefined && part !== member) setMember(copy, name, part);
    count += 1;
  }
  if (copy !== undefined) return copy;
  return count === others.length ? other : withFirst(value, other, others.slice(0, count));
}

/** A copy of a map with the named fields from another. */
function withFirst(
  value: JsonMap,
  other: JsonMap,
  names: readonly string[],
): Record<string, unknown> {
  const copy: Record<string, unknown> = { ...value };
  for (const name of names) if (copy[name] !== other[name]) setMember(copy, name, other[name]);
  return copy;
}
