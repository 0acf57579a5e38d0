/** Merges the kinds of a definition, which each server lists for itself. */
import { isObject, type JsonObject } from './specification.ts';

export const KINDS = 'x-kubernetes-group-version-kind';

export function withoutKinds(definition: unknown): unknown {
  if (!isObject(definition) || !Object.hasOwn(definition, KINDS)) return definition;
  const { [KINDS]: _, ...rest } = definition;
  return rest;
}

/** The first definition with the kinds of both, sorted; the same object when the other adds none. */
export function uniteKinds(one: JsonObject, other: JsonObject): JsonObject {
  if (!Object.hasOwn(other, KINDS)) return one;
  const known = Object.hasOwn(one, KINDS) ? listOf(one[KINDS]) : new Map<string, unknown>();
  const all = new Map([...listOf(other[KINDS]), ...known]);
  if (all.size === known.size) return one;
  const sorted = [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, kind]) => kind);
  return { ...one, [KINDS]: sorted };
}

function listOf(kinds: unknown): Map<string, unknown> {
  if (!Array.isArray(kinds)) throw new Error(`${KINDS} of a definition is no list`);
  return new Map(
    kinds.map((kind) => {
      if (!isObject(kind)) throw new Error(`${KINDS} of a definition has an entry that is no kind`);
      return [`${kind.group}/${kind.version}.${kind.kind}`, kind];
    }),
  );
}
