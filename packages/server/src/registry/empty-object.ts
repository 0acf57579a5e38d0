import { isDeepStrictEqual } from 'node:util';
import {
  formatGroupVersion,
  type GroupVersionKind,
  type KubeObject,
} from '@tributary/apimachinery';
import type { VersionDefinition } from '../definition/version.ts';
import { decodeTyped } from '../schema/typed/decode-typed.ts';

/** An object without any field set: it has the fields that its kind always writes, and may be invalid. */
export function emptyObject(kind: GroupVersionKind, version: VersionDefinition): KubeObject {
  const bare = (): KubeObject => ({
    kind: kind.kind,
    apiVersion: formatGroupVersion(kind),
    metadata: {},
  });
  const { typed } = version.schema;
  // The zero value of the Go struct, without defaults.
  if (typed !== undefined) return { ...bare(), ...decodeTyped({}, typed.struct).object };
  const object = bare();
  try {
    version.hooks.applyDefaults(object);
    return object;
  } catch {
    // Defaults are for objects that the schema has accepted, which an empty one may not be.
    return bare();
  }
}

/** The object of a bookmark: an empty one, with the fields that upstream's conversions add to one. */
export function bookmarkObject(kind: GroupVersionKind, version: VersionDefinition): KubeObject {
  const object: Record<string, unknown> = { ...emptyObject(kind, version) };
  for (const [field, more] of Object.entries(version.bookmarkFields)) {
    object[field] = { ...(object[field] as object | undefined), ...more };
  }
  return object as unknown as KubeObject;
}

/**
 * The object before any manager has set a field: only the fields that are always written, empty. Defaults are not among
 * them: the creator of an object owns its defaulted fields.
 */
export function unsetObject(empty: KubeObject, version: VersionDefinition): KubeObject {
  if (version.schema.typed !== undefined) return empty;
  const { kind, apiVersion, metadata: _metadata, ...fields } = empty;
  const written = Object.entries(fields).filter(([, value]) => isDeepStrictEqual(value, {}));
  return { kind, apiVersion, metadata: {}, ...Object.fromEntries(written) };
}
