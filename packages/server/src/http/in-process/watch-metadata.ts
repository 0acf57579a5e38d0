import { type ObjectMeta, parseJson } from '@tributary/apimachinery';
import type { Revision } from '@tributary/storage';
import { metadataBytes } from '../../representation/partial-form.ts';
import type { CacheEvent, WatchCache } from '../../watch-cache/types.ts';

export type MetadataEvent =
  | {
      readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
      readonly metadata: ObjectMeta;
      readonly revision: Revision;
    }
  | {
      readonly type: 'BOOKMARK';
      readonly revision: Revision;
      /** All objects of that revision have been sent. */
      readonly initialEventsEnd: boolean;
    };

interface MetadataWatchOptions {
  /** Resumes after this revision; without it all objects are sent first, and a bookmark after them. */
  readonly after?: Revision | undefined;
  readonly signal: AbortSignal;
}

export type MetadataWatch = (
  options: MetadataWatchOptions,
) => AsyncIterable<readonly MetadataEvent[]>;

/**
 * A watch of metadata for an in-process client that follows many resources. It caches nothing with the objects: the
 * frames of a request are cached for other watches of their kind, of which there is none. It ends when the cache ends
 * it, and is to be resumed then; throws `Compacted` when that is too late.
 */
export async function* watchMetadata(
  cache: WatchCache,
  { after, signal }: MetadataWatchOptions,
): AsyncGenerator<readonly MetadataEvent[]> {
  const start =
    after === undefined
      ? ({ kind: 'initial', freshness: { kind: 'latest' } } as const)
      : ({ kind: 'after', revision: after } as const);
  for await (const events of cache.watch({ path: '', start, bookmarks: true, signal })) {
    yield events.map(metadataEvent);
  }
}

/** Conversions change only labels and annotations of it, so the stored metadata will do. */
function metadataEvent(event: CacheEvent): MetadataEvent {
  if (event.type === 'BOOKMARK') return event;
  const { type, object } = event;
  const metadata = parseJson(metadataBytes(object.bytes)) as ObjectMeta;
  return { type, metadata, revision: object.revision };
}
