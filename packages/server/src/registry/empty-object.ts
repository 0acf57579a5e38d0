import { isDeepStrictEqual } from 'node:util';
import {
  formatGroupVersion,
  type GroupVersionKind,
  type KubeObject,
} from '@tributary/apimachinery';
import type { VersionDefinition } from '../definition/version.ts';
import { decodeTyped } from '../schema/typed/decode-typed.ts';

/** An object of which nothing was said: what a kind always writes is in it, and an author's rules may refuse it. */
export function emptyObject(kind: GroupVersionKind, version: VersionDefinition): KubeObject {
  const bare = (): KubeObject => ({
    kind: kind.kind,
    apiVersion: formatGroupVersion(kind),
    metadata: {},
  });
  const { typed } = version.schema;
  // To Go it is the struct before anything is read into it; there are no defaults in that.
  if (typed !== undefined) return { ...bare(), ...decodeTyped({}, typed.struct).object };
  const object = bare();
  try {
    version.hooks.applyDefaults(object);
    return object;
  } catch {
    // Defaults are written for objects that the schema has accepted; this one it has not.
    return bare();
  }
}

/** What a bookmark carries: an empty object, with what the original's conversions leave in one. */
export function bookmarkObject(kind: GroupVersionKind, version: VersionDefinition): KubeObject {
  const object: Record<string, unknown> = { ...emptyObject(kind, version) };
  for (const [field, more] of Object.entries(version.bookmarkFields)) {
    object[field] = { ...(object[field] as object | undefined), ...more };
  }
  return object as unknown as KubeObject;
}

/**
 * What is there before anybody says anything: only what is always written, and empty. Defaults are
 * not among it: whoever creates an object owns what was filled in for it.
 */
export function untouched(empty: KubeObject, version: VersionDefinition): KubeObject {
  if (version.schema.typed !== undefined) return empty;
  const { kind, apiVersion, metadata: _metadata, ...fields } = empty;
  const written = Object.entries(fields).filter(([, value]) => isDeepStrictEqual(value, {}));
  return { kind, apiVersion, metadata: {}, ...Object.fromEntries(written) };
}
