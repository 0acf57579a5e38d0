import { notConvertible, type ObjectMeta, parseJson, stringifyJson } from '@tributary/apimachinery';
import { findMember } from '../request/json-member.ts';
import type { Transform } from '../request/negotiation.ts';
import type { Readable, Representation } from '../watch-cache/types.ts';
import type { Form } from './form.ts';
import { goTypeName } from './go-type-name.ts';
import { bookmarkMetadata, listMetadata } from './list-metadata.ts';
import { memoryOf, ownBytes } from './own-bytes.ts';
import type { ServedResource } from './served-resource.ts';

type PartialResource = Pick<ServedResource, 'kind' | 'version' | 'view'>;

const METADATA = Buffer.from('metadata');
const EMPTY = Buffer.from('{}');
const END = Buffer.from('}');

/** The value of an object's `metadata`, cut from its bytes without parsing the rest. */
export function metadataBytes(object: Uint8Array): Uint8Array {
  const range = findMember(object, 1, METADATA);
  return range === undefined ? EMPTY : object.subarray(range.start, range.end);
}

/** The same without annotations that exist only in a version's representation; few kinds have any. */
export function shownMetadata(object: Uint8Array, hidden: readonly string[]): Uint8Array {
  const bytes = metadataBytes(object);
  if (hidden.length === 0) return bytes;
  const { annotations, ...metadata } = parseJson(bytes) as ObjectMeta;
  const shown = Object.entries(annotations ?? {}).filter(([name]) => !hidden.includes(name));
  if (shown.length === Object.keys(annotations ?? {}).length) return bytes;
  if (shown.length === 0) return Buffer.from(stringifyJson(metadata));
  return Buffer.from(stringifyJson({ ...metadata, annotations: Object.fromEntries(shown) }));
}

/** The part of a PartialObjectMetadata before the value of its metadata. */
export function partialStart(apiVersion: Transform['apiVersion']): string {
  return `{"kind":"PartialObjectMetadata","apiVersion":"${apiVersion}","metadata":`;
}

/**
 * Objects as PartialObjectMetadata. Upstream has one name for objects and another for lists, and does not accept either
 * for both.
 */
export function partialForm(
  { kind, view, version: { versionAnnotations } }: PartialResource,
  { kind: wanted, apiVersion }: Transform,
): Form {
  const start = Buffer.from(partialStart(apiVersion));
  const partial: Representation<Uint8Array> = {
    make: (object) =>
      ownBytes([start, shownMetadata(view.bytesOf(object), versionAnnotations), END]),
    bytes: memoryOf,
  };
  const one = (object: Readable) => [object.derived(partial)];
  const oneIfWanted = (object: Readable) => {
    if (wanted === 'PartialObjectMetadataList') throw notAList(goTypeName(kind));
    return one(object);
  };
  return {
    isTimeless: true,
    isAnnounced: false,
    noItems: 'null', // As Go encodes a nil list.
    object: oneIfWanted,
    watched: oneIfWanted,
    item: one,
    listStart: (head) => {
      if (wanted === 'PartialObjectMetadata') throw isAList(goTypeName(kind));
      return `{"kind":"PartialObjectMetadataList","apiVersion":"${apiVersion}","metadata":${listMetadata(head)},"items":`;
    },
    bookmark: (head) => [start, Buffer.from(bookmarkMetadata(head)), END],
  };
}

function isAList(type: string) {
  return notConvertible(
    `you requested PartialObjectMetadata, but the requested object is a list (${type}List)`,
  );
}

function notAList(type: string) {
  return notConvertible(
    `you requested PartialObjectMetadataList, but the requested object is not a list (${type})`,
  );
}
