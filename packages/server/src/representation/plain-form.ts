import type { Form } from './form.ts';
import { bookmarkMetadata, customListMetadata, listMetadata } from './list-metadata.ts';
import type { StoredResource } from './served-resource.ts';

type PlainResource = Pick<StoredResource, 'kind' | 'apiVersion' | 'view'> &
  Partial<Pick<StoredResource, 'bookmark' | 'definition'>>;

/** Objects as they are stored. */
export function plainForm(resource: PlainResource): Form {
  const { kind, apiVersion, view, definition, bookmark = {} } = resource;
  const listKind = definition?.listKind ?? `${kind.kind}List`;
  const type = JSON.stringify({ kind: listKind, apiVersion }).slice(0, -1);
  // Lists of custom resources are unstructured and keep empty fields, which Go structs omit.
  const metadataOf = definition?.custom ? customListMetadata : listMetadata;
  const { start, rest } = bookmarkParts({ kind: kind.kind, apiVersion, ...bookmark });
  return {
    isTimeless: true,
    isAnnounced: false,
    noItems: '[]',
    object: (object) => [view.bytesOf(object)],
    item: (object) => [view.bytesOf(object)],
    watched: (object) => [view.bytesOf(object)],
    listStart: (head) => `${type},"metadata":${metadataOf(head)},"items":`,
    bookmark: (head) => [Buffer.from(start + bookmarkMetadata(head) + rest)],
  };
}

/** An empty object of the kind, before and after the value of its metadata. */
function bookmarkParts(empty: Record<string, unknown>): { start: string; rest: string } {
  const { kind, apiVersion, metadata: _metadata, ...fields } = empty;
  const rest = JSON.stringify(fields);
  return {
    start: `${JSON.stringify({ kind, apiVersion }).slice(0, -1)},"metadata":`,
    rest: rest === '{}' ? '}' : `,${rest.slice(1)}`,
  };
}
