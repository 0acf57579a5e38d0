import { setMember } from '../json/set-member.ts';
import { isMap, type JsonMap } from './type.ts';

/**
 * A value in which every part that would be written like its counterpart in another value is that counterpart.
 * What is the same is then seen at once, at any depth; neither of the two is changed.
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
    // Only the same order of fields is written alike. A copy is made as soon as something is not.
    const isInPlace = name === others[count];
    const mine = value[name];
    const theirs = isInPlace || Object.hasOwn(other, name) ? other[name] : undefined;
    const part = shared(mine, theirs);
    if (copy === undefined && !(isInPlace && part === theirs)) {
      copy = withFirst(value, other, others.slice(0, count));
    }
    if (copy !== undefined && part !== mine) setMember(copy, name, part);
    count += 1;
  }
  if (copy !== undefined) return copy;
  return count === others.length ? other : withFirst(value, other, others.slice(0, count));
}

/** A copy of a map with its first fields from another. */
function withFirst(
  value: JsonMap,
  other: JsonMap,
  names: readonly string[],
): Record<string, unknown> {
  const copy: Record<string, unknown> = { ...value };
  for (const name of names) if (copy[name] !== other[name]) setMember(copy, name, other[name]);
  return copy;
}
