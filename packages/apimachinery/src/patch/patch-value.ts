import { isJsonObject, type JsonObject } from '../json/json-object.ts';
import { goTypeName } from '../values/go-print.ts';
import { missingMergeKey, plain } from './strategic-merge-patch-error.ts';

/** The merge key of an element. Upstream panics for a list or a map. */
export function mergeKeyValue(element: JsonObject, mergeKey: string): unknown {
  const value = requireMergeKey(element, mergeKey);
  if (typeof value === 'object' && value !== null) {
    throw plain(`runtime error: comparing uncomparable type ${goTypeName(value)}`);
  }
  return value;
}

export function requireMergeKey(element: JsonObject, mergeKey: string): unknown {
  if (!Object.hasOwn(element, mergeKey)) throw missingMergeKey(element, mergeKey);
  return element[mergeKey];
}

/** Go's `==` for elements of a list or their merge keys. */
export function sameValue(one: unknown, other: unknown): boolean {
  if (typeof one === 'object' && one !== null && goTypeName(one) === goTypeName(other)) {
    throw plain(`runtime error: comparing uncomparable type ${goTypeName(one)}`);
  }
  return one === other;
}

export interface PatchCleaning {
  /** Removes null fields before directives, so that `$patch: null` is not a directive. */
  readonly dropNulls: boolean;
}

/**
 * Removes maps with `$patch`, and optionally null fields, from a part of the patch without counterpart in the original.
 * Modifies the value; undefined when it is removed as a whole. Iterative, for any depth.
 */
export function withoutPatchDirectives(root: unknown, cleaning: PatchCleaning): unknown {
  if (isDirective(root, cleaning)) return undefined;
  const remains = (element: unknown) => !isDirective(element, cleaning);
  const result = Array.isArray(root) ? root.filter(remains) : root;
  const pending: unknown[] = [result];
  while (pending.length > 0) {
    const container = pending.pop();
    if (Array.isArray(container)) {
      filterInPlace(container, remains);
      for (const element of container) if (typeof element === 'object') pending.push(element);
    } else if (isJsonObject(container)) {
      for (const [name, member] of Object.entries(container)) {
        const isDropped = cleaning.dropNulls && member === null;
        if (isDropped || isDirective(member, cleaning)) delete container[name];
        else if (typeof member === 'object') pending.push(member);
      }
    }
  }
  return result;
}

function isDirective(value: unknown, { dropNulls }: PatchCleaning): boolean {
  return (
    isJsonObject(value) && Object.hasOwn(value, '$patch') && !(dropNulls && value.$patch === null)
  );
}

function filterInPlace(list: unknown[], remains: (element: unknown) => boolean): void {
  let length = 0;
  for (const element of list) {
    if (!remains(element)) continue;
    list[length] = element;
    length += 1;
  }
  list.length = length;
}
