import { cloneJson } from '../json/clone-json.ts';
import { parseJson } from '../json/parse-json.ts';
import { setMember } from '../json/set-member.ts';
import type { KubeObject } from '../meta/object.ts';
import { goJson } from '../values/go-value.ts';
import { compareTyped } from './compare.ts';
import type { FieldSet } from './field-set.ts';
import { fieldSetOf } from './field-set-of.ts';
import { isMap, type Type } from './type.ts';
import { requireTyped } from './validate.ts';

export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** Of all annotations together. */
const ANNOTATION_BYTES_MAX = 256 * 1024;

/**
 * Fields that the client itself applied from its side and that nobody has changed since: it may
 * take them without a conflict. Undefined when there is nothing to tell that from.
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
    // An annotation that cannot be read allows nothing; anybody may have written it.
    return undefined;
  }
}

/** Brings the annotation up to date where there is one, for people who go back to the client's side. */
export function withLastApplied(object: KubeObject, config: KubeObject): KubeObject {
  const { annotations } = object.metadata;
  if (!annotations?.[lastAppliedAnnotation]) return object;
  const kept: Record<string, string> = { ...annotations };
  setMember(kept, lastAppliedAnnotation, lastAppliedOf(config));
  const bytes = Object.entries(kept).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  if (bytes > ANNOTATION_BYTES_MAX) delete kept[lastAppliedAnnotation];
  return { ...object, metadata: { ...object.metadata, annotations: kept } };
}

function lastAppliedOf(config: KubeObject): string {
  const copy = cloneJson(config) as KubeObject;
  const { annotations } = copy.metadata;
  if (annotations) delete annotations[lastAppliedAnnotation];
  return `${goJson(copy)}\n`;
}
