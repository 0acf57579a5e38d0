import { type ObjectMeta, parseJson, stringifyJson } from '@tributary/apimachinery';

/**
 * The metadata of an object as one text, without name, namespace and resourceVersion. For sources with room for one
 * text: an annotation, a column.
 */
export function packMetadata(metadata: ObjectMeta): string {
  const { name: _name, namespace: _namespace, resourceVersion: _revision, ...rest } = metadata;
  return stringifyJson(rest);
}

/** The metadata that `packMetadata` packed; none for an item that was never written here. Throws for other text. */
export function unpackMetadata(text: string | undefined): ObjectMeta {
  if (text === undefined) return {};
  const packed = parseJson(Buffer.from(text));
  if (typeof packed === 'object' && packed !== null && !Array.isArray(packed))
    return packed as ObjectMeta;
  throw new TypeError(`not the metadata of an object: ${text.slice(0, 100)}`);
}
