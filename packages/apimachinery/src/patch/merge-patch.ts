import { isJsonObject } from '../json/json-object.ts';

/** RFC 7386: merges objects field by field, null removes a field, anything else replaces. Modifies neither argument. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const merged = new Map<string, unknown>(isJsonObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  // Unlike an assignment, this stores a field such as `__proto__` as data.
  return Object.fromEntries(merged);
}
