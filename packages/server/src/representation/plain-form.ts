import type { StoredResource } from '../served-resource.ts';
import type { Form } from './form.ts';
import { bookmarkMetadata, listMetadata } from './list-metadata.ts';

type PlainResource = Pick<StoredResource, 'kind' | 'apiVersion' | 'view'> &
  Partial<Pick<StoredResource, 'bookmark'>>;

/** Objects as they are. */
export function plainForm({ kind, apiVersion, view, bookmark = {} }: PlainResource): Form {
  const type = JSON.stringify({ kind: `${kind.kind}List`, apiVersion }).slice(0, -1);
  const { start, rest } = bookmarkParts({ kind: kind.kind, apiVersion, ...bookmark });
  return {
    isTimeless: true,
    isAnnounced: false,
    noItems: '[]',
    object: (object) => [view.bytesOf(object)],
    item: (object) => [view.bytesOf(object)],
    watched: (object) => [view.bytesOf(object)],
    listStart: (head) => `${type},"metadata":${listMetadata(head)},"items":`,
    bookmark: (head) => [Buffer.from(start + bookmarkMetadata(head) + rest)],
  };
}

/** An empty object of the kind, before and behind the value of its metadata. */
function bookmarkParts(empty: Record<string, unknown>): { start: string; rest: string } {
  const { kind, apiVersion, metadata: _metadata, ...fields } = empty;
  const rest = JSON.stringify(fields);
  return {
    start: `${JSON.stringify({ kind, apiVersion }).slice(0, -1)},"metadata":`,
    rest: rest === '{}' ? '}' : `,${rest.slice(1)}`,
  };
}
