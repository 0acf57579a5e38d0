import { isDeepStrictEqual } from 'node:util';
import {
  formatGroupVersion,
  type GroupVersionKind,
  type KubeObject,
} from '@tributary/apimachinery';
import type { VersionDefinition } from '../definition/version.ts';

/** An object of which nothing was said: what a kind always writes is in it, and an author's rules may refuse it. */
export function emptyObject(kind: GroupVersionKind, version: VersionDefinition): KubeObject {
  const bare = (): KubeObject => ({
    kind: kind.kind,
    apiVersion: formatGroupVersion(kind),
    metadata: {},
  });
  const object = bare();
  try {
    version.hooks.applyDefaults(object);
    return object;
  } catch {
    // Defaults are written for objects that the schema has accepted; this one it has not.
    return bare();
  }
}

/**
 * What is there before anybody says anything: only what is always written, and empty. Defaults are
 * not among it: whoever creates an object owns what was filled in for it.
 */
export function untouched({
  kind,
  apiVersion,
  metadata: _metadata,
  ...fields
}: KubeObject): KubeObject {
  const empty = Object.entries(fields).filter(([, value]) => isDeepStrictEqual(value, {}));
  return { kind, apiVersion, metadata: {}, ...Object.fromEntries(empty) };
}
