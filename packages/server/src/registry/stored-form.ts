import { type KubeObject, parseJson, stringifyJson } from '@tributary/apimachinery';
import type { Revision } from '@tributary/storage';

/**
 * How objects of a kind lie in the store: JSON that begins with constant bytes up to the first
 * field of the metadata. There the resourceVersion, known only after the commit, is put in later
 * without reading the rest.
 */
export interface StoredForm {
  readonly head: Uint8Array;
  encode(object: KubeObject): Uint8Array;
  decode(stored: Uint8Array, revision: Revision): KubeObject;
}

export function storedForm(apiVersion: string, kind: string): StoredForm {
  const headText = `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},"metadata":{`;
  return {
    head: Buffer.from(headText),
    encode: ({ metadata, kind: _kind, apiVersion: _apiVersion, ...fields }) => {
      const { resourceVersion: _revision, ...kept } = metadata;
      const rest = Object.keys(fields).length === 0 ? '}' : `,${stringifyJson(fields).slice(1)}`;
      return Buffer.from(`${headText}${stringifyJson(kept).slice(1)}${rest}`);
    },
    decode: (stored, revision) => {
      const object = parseJson(stored) as KubeObject;
      object.metadata.resourceVersion = String(revision);
      return object;
    },
  };
}
