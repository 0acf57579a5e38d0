/** The `$setElementOrder/<list>` directive: merges and orders the list, and removes it from the patch. */

import { isJsonObject, type JsonObject, setMember } from '../json/json-object.ts';
import { printGo } from '../values/go-print.ts';
import { arrange, partition } from './list-order.ts';
import { elementKind, type MergedList, type MergeMaps, mergeLists } from './patch-list.ts';
import { type FieldPatch, listField, type PatchSchema } from './patch-schema.ts';
import { requireMergeKey, sameValue, withoutPatchDirectives } from './patch-value.ts';
import { badElementOrder, plain, wrongType } from './strategic-merge-patch-error.ts';

export const elementOrderPrefix = '$setElementOrder';

export interface ElementOrderMerge {
  readonly original: JsonObject;
  readonly patch: JsonObject;
  readonly schema: PatchSchema;
  readonly mergeMapsOf: (elements: PatchSchema) => MergeMaps;
}

/** Applies the directives, and removes them and their lists from the patch. */
export function applyElementOrder({
  original,
  patch,
  schema,
  mergeMapsOf,
}: ElementOrderMerge): void {
  for (const key of Object.keys(patch)) {
    if (!key.startsWith(elementOrderPrefix) || !Object.hasOwn(patch, key)) continue;
    const order = patch[key];
    delete patch[key];
    if (!Array.isArray(order)) throw wrongType('list', order);
    if (!key.startsWith(`${elementOrderPrefix}/`)) throw badElementOrder();
    const name = key.slice(elementOrderPrefix.length + 1);
    const originalList = listMember(original, name);
    const patchList = listMember(patch, name);
    const field = listField(schema, name);
    requireSameOrder(patchList ?? [], order, field.mergeKey);
    const mergeMaps = mergeMapsOf(field.schema);
    const merged = mergedList(originalList, patchList, field, mergeMaps);
    if (merged === undefined) continue;
    const parts = partition(merged.elements, order, field.mergeKey);
    const kind = elementKind([originalList ?? [], patchList ?? []]);
    const arrangement = { order, serverOrder: merged.liveOrder, mergeKey: field.mergeKey, kind };
    setMember(original, name, arrange(parts, arrangement));
    delete patch[name];
  }
}

function listMember(object: JsonObject, name: string): unknown[] | undefined {
  if (!Object.hasOwn(object, name)) return undefined;
  const value = object[name];
  if (!Array.isArray(value)) throw wrongType('list', value);
  return value;
}

function mergedList(
  original: unknown[] | undefined,
  patch: unknown[] | undefined,
  field: FieldPatch,
  mergeMaps: MergeMaps,
): MergedList | undefined {
  if (patch === undefined) {
    return original === undefined ? undefined : { elements: original, liveOrder: original };
  }
  if (original === undefined) {
    const elements = withoutPatchDirectives(patch, { dropNulls: false });
    return { elements: Array.isArray(elements) ? elements : [], liveOrder: [] };
  }
  if (field.strategy !== 'merge') return { elements: patch, liveOrder: original };
  return mergeLists({ original, patch, field, removes: false, mergeMaps });
}

/** The elements of the patch, except removals, must occur in `order` in the same sequence. */
function requireSameOrder(patch: unknown[], order: unknown[], mergeKey: string): void {
  if (patch.length === 0 || order.length === 0) return;
  const expected = mergeKey === '' ? patch : patch.filter(isNotRemoval);
  let matched = 0;
  for (let next = 0; matched < expected.length && next < order.length; ) {
    const element = expected[matched];
    // Other directives are skipped, but as upstream one after the last matched element fails.
    if (isJsonObject(element) && Object.hasOwn(element, '$patch')) {
      matched += 1;
      continue;
    }
    if (sameElement(element, order[next], mergeKey)) matched += 1;
    next += 1;
  }
  if (matched === expected.length) return;
  throw plain(
    `The order in patch list:\n${printGo(patch)}\n doesn't match ${elementOrderPrefix} list:\n${printGo(order)}\n`,
  );
}

function isNotRemoval(element: unknown): boolean {
  if (!isJsonObject(element)) throw wrongType('map', element);
  return element.$patch !== 'delete';
}

function sameElement(element: unknown, named: unknown, mergeKey: string): boolean {
  if (mergeKey === '') return sameValue(element, named);
  if (!isJsonObject(element)) throw wrongType('map', element);
  if (!isJsonObject(named)) throw wrongType('map', named);
  return sameValue(requireMergeKey(element, mergeKey), requireMergeKey(named, mergeKey));
}
