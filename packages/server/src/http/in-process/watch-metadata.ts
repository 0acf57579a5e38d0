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
      /** What came before were all objects of that revision. */
      readonly initialEventsEnd: boolean;
    };

export interface MetadataWatchOptions {
  /** Changes after it alone; without one all objects come first, and a bookmark behind them. */
  readonly after?: Revision | undefined;
  readonly signal: AbortSignal;
}

export type MetadataWatch = (
  options: MetadataWatchOptions,
) => AsyncIterable<readonly MetadataEvent[]>;

/**
 * A watch for somebody in the same process who follows many resources and wants their metadata. It leaves nothing
 * with the objects: frames, which a request would have, are kept for other watches of their kind, and there is none.
 * It ends when the cache ends it, and is to be resumed then; fails with `Compacted` when that is too late.
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

/** Conversions leave all of it as it is but labels and annotations, so that the stored words will do. */
function metadataEvent(event: CacheEvent): MetadataEvent {
  if (event.type === 'BOOKMARK') return event;
  const { type, object } = event;
  const metadata = parseJson(metadataBytes(object.bytes)) as ObjectMeta;
  return { type, metadata, revision: object.revision };
}
