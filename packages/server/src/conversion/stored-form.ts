import {
  type KubeObject,
  type ManagedFieldsEntry,
  parseJson,
  stringifyJson,
} from '@tributary/apimachinery';
import type { Revision } from '@tributary/storage';

/**
 * The stored encoding of objects of a kind: JSON that begins with constant bytes up to the first field of the metadata.
 * The resourceVersion, known only after the commit, is inserted there without parsing the rest.
 */
export interface StoredForm {
  readonly head: Uint8Array;
  encode(object: KubeObject): Uint8Array;
  decode(stored: Uint8Array, revision: Revision): KubeObject;
}

/** Encoded entries: most of them are unchanged since the last write. */
const entryTexts = new WeakMap<ManagedFieldsEntry, string>();

/** Metadata after its opening brace, with managedFields at its end as upstream. */
function withManagedFields(metadata: string, entries: readonly ManagedFieldsEntry[] | undefined) {
  if (entries === undefined) return metadata.slice(1);
  const separator = metadata === '{}' ? '' : ',';
  const texts = entries.map((entry) => {
    const known = entryTexts.get(entry);
    if (known !== undefined) return known;
    const text = stringifyJson(entry);
    entryTexts.set(entry, text);
    return text;
  });
  return `${metadata.slice(1, -1)}${separator}"managedFields":[${texts.join(',')}]}`;
}

export function storedForm(apiVersion: string, kind: string): StoredForm {
  const headText = `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},"metadata":{`;
  return {
    head: Buffer.from(headText),
    encode: ({ metadata, kind: _kind, apiVersion: _apiVersion, ...fields }) => {
      const { resourceVersion: _revision, managedFields, ...otherMetadata } = metadata;
      const rest = Object.keys(fields).length === 0 ? '}' : `,${stringifyJson(fields).slice(1)}`;
      return Buffer.from(
        `${headText}${withManagedFields(stringifyJson(otherMetadata), managedFields)}${rest}`,
      );
    },
    decode: (stored, revision) => {
      const object = parseJson(stored) as KubeObject;
      object.metadata.resourceVersion = String(revision);
      return object;
    },
  };
}
