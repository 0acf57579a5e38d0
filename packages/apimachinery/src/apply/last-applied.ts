import { cloneJson } from '../json/clone-json.ts';
import { setMember } from '../json/json-object.ts';
import { parseJson } from '../json/parse-json.ts';
import type { KubeObject } from '../meta/object.ts';
import { goJson } from '../values/go-value.ts';
import { compareTyped } from './compare.ts';
import type { FieldSet } from './field-set.ts';
import { fieldSetOf } from './field-set-of.ts';
import { isMap, type Type } from './type.ts';
import { requireTyped } from './validate.ts';

export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** The limit for all annotations of an object together. */
const ANNOTATION_BYTES_MAX = 256 * 1024;

/**
 * Fields of the last client-side apply that have not changed since; server-side apply of the same client does not
 * conflict on them. Undefined without a valid last-applied annotation.
 */
export function conflictsAllowedByLastApplied(
  live: KubeObject,
  apiVersion: string,
  type: Type,
): FieldSet | undefined {
  const text = live.metadata.annotations?.[lastAppliedAnnotation];
  if (!text) return undefined;
  try {
    requireTyped(live, type, { allowDuplicates: false });
    const applied = parseJson(Buffer.from(text));
    if (!isMap(applied) || applied.apiVersion !== apiVersion) return undefined;
    requireTyped(applied, type, { allowDuplicates: false });
    const { modified, added, removed } = compareTyped(applied, live, type);
    return fieldSetOf(applied, type).difference(modified).difference(added).difference(removed);
  } catch {
    // Any client may have written the annotation; an invalid one is ignored.
    return undefined;
  }
}

/** Updates an existing last-applied annotation, so that users can return to client-side apply. */
export function withLastApplied(object: KubeObject, config: KubeObject): KubeObject {
  const { annotations } = object.metadata;
  if (!annotations?.[lastAppliedAnnotation]) return object;
  const updated: Record<string, string> = { ...annotations };
  setMember(updated, lastAppliedAnnotation, lastAppliedOf(config));
  const bytes = Object.entries(updated).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  if (bytes > ANNOTATION_BYTES_MAX) delete updated[lastAppliedAnnotation];
  return { ...object, metadata: { ...object.metadata, annotations: updated } };
}

function lastAppliedOf(config: KubeObject): string {
  const copy = cloneJson(config) as KubeObject;
  const { annotations } = copy.metadata;
  if (annotations) delete annotations[lastAppliedAnnotation];
  return `${goJson(copy)}\n`;
}
