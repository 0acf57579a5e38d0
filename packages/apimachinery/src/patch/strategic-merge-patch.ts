import { cloneJson } from '../json/clone-json.ts';
import { isJsonObject, type JsonObject, setMember } from '../json/json-object.ts';
import { goTypeName } from '../values/go-print.ts';
import { applyElementOrder, elementOrderPrefix } from './element-order.ts';
import { type MergeMaps, mergeLists } from './patch-list.ts';
import { listField, objectField, type PatchSchema, withObjectMeta } from './patch-schema.ts';
import { withoutPatchDirectives } from './patch-value.ts';
import {
  badDocument,
  badPrimitiveList,
  badRetainKeys,
  plain,
  unknownDirective,
} from './strategic-merge-patch-error.ts';

/**
 * A strategic merge patch with all deviations of kube-apiserver. Modifies neither argument, and the result shares no
 * values with them. Throws `StrategicMergePatchError`.
 *
 * Iterative, in linear time except for sorting merged lists. Where upstream depends on the random order of a Go map,
 * removals from a list come before additions to it.
 */
export function strategicMergePatch(
  original: unknown,
  patch: unknown,
  schema: PatchSchema,
): unknown {
  const target = cloneJson(original ?? {});
  const source = cloneJson(patch ?? {});
  if (!isJsonObject(target)) throw badDocument(target);
  if (!isJsonObject(source)) throw badDocument(source);
  const pending: MapMerge[] = [];
  const result = begin(
    { original: target, patch: source, schema: withObjectMeta(schema) },
    pending,
  );
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const inner: MapMerge[] = [];
    mergeMap(next, inner);
    // Depth first, in order: a list of the patch may contain a merge key twice.
    for (const merge of inner.reverse()) pending.push(merge);
  }
  return result;
}

interface MapMerge {
  readonly original: JsonObject;
  readonly patch: JsonObject;
  readonly schema: PatchSchema;
}

const removalPrefix = '$deleteFromPrimitiveList';

/** Returns the map for the result, which a pending merge fills unless a directive replaces it. */
function begin(merge: MapMerge, pending: MapMerge[]): JsonObject {
  const { original, patch } = merge;
  if (!Object.hasOwn(patch, '$patch')) {
    pending.push(merge);
    return original;
  }
  switch (patch.$patch) {
    case 'replace':
      delete patch.$patch;
      return patch;
    case 'delete':
      return {};
    default:
      throw unknownDirective(patch.$patch, patch);
  }
}

function mergeMap({ original, patch, schema }: MapMerge, inner: MapMerge[]): void {
  const mergeMapsOf =
    (elements: PatchSchema): MergeMaps =>
    (originalMap, patchMap) =>
      begin({ original: originalMap, patch: patchMap, schema: elements }, inner);
  retainKeys(original, patch);
  applyElementOrder({ original, patch, schema, mergeMapsOf });
  for (const key of removalsFirst(Object.keys(patch))) {
    const value = patch[key];
    const removes = key.startsWith(removalPrefix);
    const name = removes ? removalTarget(key) : key;
    if (value === null) {
      delete original[name];
      continue;
    }
    const current = Object.hasOwn(original, name) ? original[name] : undefined;
    if (current === undefined || goTypeName(current) !== goTypeName(value)) {
      if (!removes) replaceField(original, name, value);
    } else if (isJsonObject(current) && isJsonObject(value)) {
      const { strategy, schema: field } = objectField(schema, name);
      const merged = strategy === 'replace' ? value : mergeMapsOf(field)(current, value);
      setMember(original, name, merged);
    } else if (Array.isArray(current) && Array.isArray(value)) {
      const field = listField(schema, name);
      const mergeMaps = mergeMapsOf(field.schema);
      const merged =
        field.strategy === 'merge' || removes
          ? mergeLists({ original: current, patch: value, field, removes, mergeMaps }).elements
          : value;
      setMember(original, name, merged);
    } else {
      setMember(original, name, value);
    }
  }
}

/** Sets a field that is absent or has another type, without directives and nulls. */
function replaceField(original: JsonObject, name: string, value: unknown): void {
  const cleaned = withoutPatchDirectives(value, { dropNulls: true });
  if (cleaned === undefined) delete original[name];
  else setMember(original, name, cleaned);
}

function removalsFirst(keys: readonly string[]): string[] {
  const removals = keys.filter((key) => key.startsWith(removalPrefix));
  return [...removals, ...keys.filter((key) => !key.startsWith(removalPrefix))];
}

/** The list of a removal; as upstream, the directive itself when no name follows the slash. */
function removalTarget(key: string): string {
  if (!key.startsWith(`${removalPrefix}/`)) throw badPrimitiveList();
  return key.slice(removalPrefix.length + 1) || key;
}

/** `$retainKeys` lists all fields to retain; it must contain the fields that the patch sets. */
function retainKeys(original: JsonObject, patch: JsonObject): void {
  if (!Object.hasOwn(patch, '$retainKeys')) return;
  const retained = patch.$retainKeys;
  delete patch.$retainKeys;
  if (!Array.isArray(retained)) throw badRetainKeys();
  const unhashable = retained.find((name) => typeof name === 'object' && name !== null);
  if (unhashable !== undefined) {
    throw plain(`hash of unhashable type: ${goTypeName(unhashable)}`);
  }
  const names = new Set<unknown>(retained);
  for (const [key, value] of Object.entries(patch)) {
    const isDirective = key.startsWith(removalPrefix) || key.startsWith(elementOrderPrefix);
    if (value !== null && !isDirective && !names.has(key)) throw badRetainKeys();
  }
  for (const key of Object.keys(original)) if (!names.has(key)) delete original[key];
}
