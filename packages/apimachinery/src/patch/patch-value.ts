import { goTypeName } from '../values/go-print.ts';
import { missingMergeKey, plain } from './strategic-merge-patch-error.ts';

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value by which an element is found. Upstream panics when two lists or two maps are compared. */
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

/** Two elements of a list, or their merge keys, as Go's `==` compares them. */
export function sameValue(one: unknown, other: unknown): boolean {
  if (typeof one === 'object' && one !== null && goTypeName(one) === goTypeName(other)) {
    throw plain(`runtime error: comparing uncomparable type ${goTypeName(one)}`);
  }
  return one === other;
}

export interface PatchCleaning {
  /** Fields that are null go before directives are looked for; `$patch: null` is no directive then. */
  readonly dropNulls: boolean;
}

/**
 * Takes maps with `$patch` out of a part of the patch that meets nothing in the original, and null fields if asked.
 * Changes what stands inside the value; undefined when nothing is left of it. Of any depth.
 */
export function withoutPatchDirectives(root: unknown, cleaning: PatchCleaning): unknown {
  if (isDirective(root, cleaning)) return undefined;
  const isKept = (element: unknown) => !isDirective(element, cleaning);
  const kept = Array.isArray(root) ? root.filter(isKept) : root;
  const pending: unknown[] = [kept];
  while (pending.length > 0) {
    const container = pending.pop();
    if (Array.isArray(container)) {
      keepInPlace(container, isKept);
      for (const element of container) if (typeof element === 'object') pending.push(element);
    } else if (isObject(container)) {
      for (const [name, member] of Object.entries(container)) {
        const isDropped = cleaning.dropNulls && member === null;
        if (isDropped || isDirective(member, cleaning)) delete container[name];
        else if (typeof member === 'object') pending.push(member);
      }
    }
  }
  return kept;
}

function isDirective(value: unknown, { dropNulls }: PatchCleaning): boolean {
  return isObject(value) && Object.hasOwn(value, '$patch') && !(dropNulls && value.$patch === null);
}

function keepInPlace(list: unknown[], isKept: (element: unknown) => boolean): void {
  let length = 0;
  for (const element of list) {
    if (!isKept(element)) continue;
    list[length] = element;
    length += 1;
  }
  list.length = length;
}
