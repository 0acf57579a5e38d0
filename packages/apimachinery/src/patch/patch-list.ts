/** Merges lists element by element: maps by their merge key, scalars as a set. */
import { isJsonObject, type JsonObject } from '../json/json-object.ts';
import { goTypeName, printGo } from '../values/go-print.ts';
import { arrange, type ElementKind, partition } from './list-order.ts';
import { type FieldPatch, schemaKind } from './patch-schema.ts';
import { mergeKeyValue, requireMergeKey } from './patch-value.ts';
import {
  listOfLists,
  missingMergeKey,
  plain,
  unknownDirective,
} from './strategic-merge-patch-error.ts';

/** Merges a map of the patch into a map of the original, possibly deferred, and returns the resulting map. */
export type MergeMaps = (original: JsonObject, patch: JsonObject) => JsonObject;

export interface ListMerge {
  readonly original: unknown[];
  readonly patch: unknown[];
  readonly field: FieldPatch;
  /** The patch is a `$deleteFromPrimitiveList`; as upstream, it removes no maps. */
  readonly removes: boolean;
  readonly mergeMaps: MergeMaps;
}

export interface MergedList {
  readonly elements: unknown[];
  /** The live order for `$setElementOrder`. */
  readonly liveOrder: readonly unknown[];
}

export function mergeLists(merge: ListMerge): MergedList {
  const { original, patch, field, removes } = merge;
  if (original.length === 0 && patch.length === 0) {
    return { elements: original, liveOrder: original };
  }
  if (elementKind([original, patch]) === 'map') return mergeMapLists(merge);
  if (removes) {
    const removed = new Set(patch);
    const elements = original.filter((element) => !removed.has(element));
    return { elements, liveOrder: original };
  }
  const { mergeKey } = field;
  const parts = partition([...new Set([...original, ...patch])], patch, mergeKey);
  const arrangement = { order: patch, serverOrder: original, mergeKey, kind: 'scalar' } as const;
  return { elements: arrange(parts, arrangement), liveOrder: original };
}

function mergeMapLists({ original, patch, field, mergeMaps }: ListMerge): MergedList {
  const { mergeKey } = field;
  if (mergeKey === '') {
    throw plain(`cannot merge lists without merge key for ${schemaKind(field.schema)}`);
  }
  const lists = withoutDirectives(original as JsonObject[], patch as JsonObject[], mergeKey);
  const merged = mergeElements(lists, mergeKey, mergeMaps);
  const parts = partition(merged, lists.patch, mergeKey);
  const serverOrder = lists.original;
  const arrangement = { order: lists.patch, serverOrder, mergeKey, kind: 'map' } as const;
  const elements = arrange(parts, arrangement);
  // Upstream removes and appends in the array of the live list: an element in the slot of a removed one counts as live,
  // which affects its order relative to elements that are not in the patch.
  const liveOrder = lists.replaced ? original : merged.slice(0, original.length);
  return { elements, liveOrder };
}

/** All elements of all lists must have the same type. All numbers have one type, because `1.0` decodes to `1`. */
export function elementKind(lists: readonly (readonly unknown[])[]): ElementKind {
  let type: string | undefined;
  for (const element of lists.flat(1)) {
    const current = typeof element === 'number' ? 'int64' : goTypeName(element);
    if (type === undefined) {
      if (current === 'nil') {
        throw plain('runtime error: invalid memory address or nil pointer dereference');
      }
      if (Array.isArray(element)) throw listOfLists();
      type = current;
    } else if (type !== current) {
      throw plain(`list element types are not identical: ${printGo(lists)}`);
    }
  }
  if (type === undefined) throw plain('no elements in any of the given slices');
  return type === 'map[string]interface {}' ? 'map' : 'scalar';
}

interface MapLists {
  readonly original: JsonObject[];
  readonly patch: JsonObject[];
  /** A `$patch: replace` replaced the elements of the original by those of the patch. */
  readonly replaced: boolean;
}

/** Applies the elements of the patch with a directive, and returns the lists without them. */
function withoutDirectives(
  original: JsonObject[],
  patch: JsonObject[],
  mergeKey: string,
): MapLists {
  const ordinary: JsonObject[] = [];
  const removed = new Set<unknown>();
  let replace = false;
  for (const element of patch) {
    if (!Object.hasOwn(element, '$patch')) {
      ordinary.push(element);
      continue;
    }
    switch (element.$patch) {
      case 'delete':
        removed.add(requireMergeKey(element, mergeKey));
        break;
      case 'replace':
        replace = true;
        break;
      case 'merge':
        throw plain('merging lists cannot yet be specified in the patch');
      default:
        throw unknownDirective(element.$patch, element);
    }
  }
  if (replace) return { original: ordinary, patch: [], replaced: true };
  const remains = (element: JsonObject) =>
    !Object.hasOwn(element, mergeKey) || !removed.has(element[mergeKey]);
  const live = removed.size === 0 ? original : original.filter(remains);
  return { original: live, patch: ordinary, replaced: false };
}

/** Merges each element into the first one of the original with its key; appends elements with other keys. */
function mergeElements(lists: MapLists, mergeKey: string, mergeMaps: MergeMaps): JsonObject[] {
  const merged = [...lists.original];
  const positions = new Map<unknown, number>();
  for (const [position, element] of merged.entries()) {
    if (!Object.hasOwn(element, mergeKey) || positions.has(element[mergeKey])) continue;
    positions.set(element[mergeKey], position);
  }
  for (const element of lists.patch) {
    const key = mergeKeyValue(element, mergeKey);
    const position = positions.get(key);
    const found = position === undefined ? undefined : merged[position];
    if (position === undefined || !isJsonObject(found)) {
      positions.set(key, merged.length);
      merged.push(element);
      continue;
    }
    // Merging a null removes the key, and upstream then fails when it orders the elements.
    if (key === null) {
      const { [mergeKey]: _, ...rest } = found;
      throw missingMergeKey(rest, mergeKey);
    }
    merged[position] = mergeMaps(found, element);
  }
  return merged;
}
