import { type ObjectMeta, parseJson, stringifyJson } from '@tributary/apimachinery';

/**
 * The metadata of an object as one text, without what its item says itself, name and namespace. For
 * sources that have a place for one: an annotation, a column.
 */
export function packMetadata(metadata: ObjectMeta): string {
  const { name: _name, namespace: _namespace, resourceVersion: _revision, ...kept } = metadata;
  return stringifyJson(kept);
}

/** What `packMetadata` packed; nothing of an item that was never written here. Throws when it is no such text. */
export function unpackMetadata(text: string | undefined): ObjectMeta {
  if (text === undefined) return {};
  const kept = parseJson(Buffer.from(text));
  if (typeof kept === 'object' && kept !== null && !Array.isArray(kept)) return kept as ObjectMeta;
  throw new TypeError(`not the metadata of an object: ${text.slice(0, 100)}`);
}
