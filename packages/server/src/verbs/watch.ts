import {
  type ListOptions,
  parseListOptions,
  parseResourceVersion,
  StatusError,
} from '@tributary/apimachinery';
import { type Clock, Compacted, type Revision } from '@tributary/storage';
import { convertItems } from '../conversion/convert-objects.ts';
import type { VersionConverter } from '../conversion/version-converter.ts';
import type { ShownEvent } from '../representation/converted-events.ts';
import { formOf } from '../representation/forms.ts';
import { negotiateOutput, requireStreamable } from '../representation/output.ts';
import { nowMsOf } from '../representation/response-settings.ts';
import { convertWithRetries, RetryPause } from '../representation/retried-conversion.ts';
import type { StoredResource } from '../representation/served-resource.ts';
import { watchFrame, watchFrameEncoder } from '../representation/watch-frames.ts';
import type { ApiRequest, ApiResponse } from '../request/pipeline.ts';
import { cannotInitialize } from '../watch-cache/errors.ts';
import { expiredWatch } from '../watch-cache/expired-revision.ts';
import type { CacheEvent, ListRequest, WatchRequest, WatchStart } from '../watch-cache/types.ts';
import { type LateMatch, selectionOf } from './selection.ts';

export interface WatchSettings {
  readonly clock: Clock;
  /** Watches without timeoutSeconds end after a random time in [1×, 2×] of this. */
  readonly minRequestTimeoutMs: number;
  /** A number in [0, 1). */
  readonly random: () => number;
}

export async function watch(
  request: ApiRequest,
  served: StoredResource,
  settings: WatchSettings,
): Promise<ApiResponse> {
  const output = negotiateOutput(request);
  const options = parseListOptions(request.query);
  const { window, late } = selectionOf(request.info, options, served);
  const lifeMs = lifetimeMs(options, settings);
  const start = startOf(options);
  const frameOf = watchFrameEncoder(formOf(served, output, request), () => nowMsOf(served));
  requireStreamable(output);
  // A watch that cannot start gets an HTTP error; once the headers are sent a failure can only be an event.
  await served.cache.ready(request.cancellation);
  if (served.converter?.isRemote && start.kind === 'initial') {
    await requireShown(served, { ...window, signal: request.cancellation.signal });
  }
  const chunks = watchChunks(
    request,
    served,
    {
      clock: settings.clock,
      lifeMs,
      frameOf: frameOf,
      late,
      pause: pauseOf(served, settings.clock),
    },
    {
      ...window,
      start,
      bookmarks: options.allowWatchBookmarks,
      deadline: settings.clock.nowMs() + lifeMs,
    },
  );
  return { kind: 'stream', contentType: 'application/json', chunks };
}

const pauses = new WeakMap<VersionConverter, RetryPause>();

function pauseOf({ converter }: StoredResource, clock: Clock): RetryPause {
  const pause = (converter && pauses.get(converter)) ?? new RetryPause(clock);
  if (converter !== undefined) pauses.set(converter, pause);
  return pause;
}

/** Upstream has a cache for each version, which cannot be filled while conversion fails. */
async function requireShown(
  served: StoredResource,
  reading: Omit<ListRequest, 'freshness'>,
): Promise<void> {
  const { items } = await served.cache.list({ ...reading, freshness: { kind: 'any' } });
  try {
    for (const group of groupsOf(items, ({ bytes }) => bytes.byteLength)) {
      await convertItems(served, group, reading);
    }
  } catch (error) {
    reading.signal.throwIfAborted();
    if (!(error instanceof StatusError)) throw error;
    const { apiVersion, kind } = served;
    throw cannotInitialize(`${apiVersion}, Kind=${kind.kind}`, error);
  }
}

/** The start of a watch: after a revision, or with the present objects. */
function startOf({ resourceVersion, sendInitialEvents }: ListOptions): WatchStart {
  const revision = parseResourceVersion(resourceVersion) as Revision;
  const isZero = revision === 0;
  if (sendInitialEvents === true || (isZero && sendInitialEvents === undefined)) {
    if (resourceVersion === '') return { kind: 'initial', freshness: { kind: 'latest' } };
    if (isZero) return { kind: 'initial', freshness: { kind: 'any' } };
    return { kind: 'initial', freshness: { kind: 'notOlderThan', revision } };
  }
  if (resourceVersion === '') return { kind: 'now', freshness: { kind: 'latest' } };
  if (isZero) return { kind: 'now', freshness: { kind: 'any' } };
  return { kind: 'after', revision };
}

function lifetimeMs({ timeoutSeconds }: ListOptions, settings: WatchSettings): number {
  if (timeoutSeconds !== undefined && timeoutSeconds > 0) return timeoutSeconds * 1000;
  return settings.minRequestTimeoutMs * (1 + settings.random());
}

interface WatchParts {
  readonly clock: Clock;
  readonly lifeMs: number;
  readonly frameOf: ReturnType<typeof watchFrameEncoder>;
  readonly late: LateMatch | undefined;
  readonly pause: RetryPause;
}

async function* watchChunks(
  { cancellation }: ApiRequest,
  served: StoredResource,
  { clock, lifeMs, frameOf, late, pause }: WatchParts,
  request: Omit<WatchRequest, 'signal'>,
): AsyncGenerator<Uint8Array> {
  const end = new AbortController();
  const cancel = clock.schedule(lifeMs, () => end.abort());
  const signal = AbortSignal.any([cancellation.signal, end.signal]);
  const conversion = { signal, late, pause };
  try {
    for await (const events of served.cache.watch({ ...request, signal })) {
      // One batch after the other: later events wait, bookmarks included.
      if (served.converter === undefined) yield* encodedChunks(events, frameOf);
      else yield* convertedChunks(served, events, { ...conversion, frameOf: frameOf });
    }
  } catch (error) {
    if (!signal.aborted) yield failureFrame(error, request.start);
  } finally {
    cancel();
  }
}

/**
 * The memory that one watcher may hold: events are shared until they are encoded, and are encoded only when earlier
 * ones have been sent.
 */
const CHUNK_BYTES = 64 * 1024;
/** Objects of another version are converted together, because a webhook converts many in one call. */
const CONVERTED_BYTES = 1024 * 1024;

/**
 * Encodes events into chunks of several lines. A longer line stays alone, and is the buffer that all watchers share.
 */
function* encodedChunks(
  events: readonly ShownEvent[],
  frameOf: (event: ShownEvent) => Uint8Array,
): Generator<Uint8Array> {
  let frames: Uint8Array[] = [];
  let bytes = 0;
  for (const event of events) {
    const frame = frameOf(event);
    if (frames.length > 0 && bytes + frame.byteLength > CHUNK_BYTES) {
      yield join(frames);
      frames = [];
      bytes = 0;
    }
    frames.push(frame);
    bytes += frame.byteLength;
  }
  if (frames.length > 0) yield join(frames);
}

async function* convertedChunks(
  served: StoredResource,
  events: readonly CacheEvent[],
  {
    frameOf,
    ...conversion
  }: Parameters<typeof convertWithRetries>[2] & Pick<WatchParts, 'frameOf'>,
): AsyncGenerator<Uint8Array> {
  const sizeOf = (event: CacheEvent) =>
    event.type === 'BOOKMARK' ? 0 : event.object.bytes.byteLength;
  for (const group of groupsOf(events, sizeOf)) {
    for await (const shown of convertWithRetries(served, group, conversion))
      yield* encodedChunks(shown, frameOf);
  }
}

/** Groups in order, each of at least one item. */
function* groupsOf<Item>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
): Generator<readonly Item[]> {
  let start = 0;
  let bytes = 0;
  for (const [at, item] of items.entries()) {
    const size = sizeOf(item);
    if (at > start && bytes + size > CONVERTED_BYTES) {
      yield items.slice(start, at);
      start = at;
      bytes = 0;
    }
    bytes += size;
  }
  if (start < items.length) yield items.slice(start);
}

/** Once a watch has started a failure is an event: the status line has been sent. */
function failureFrame(error: unknown, start: WatchStart): Uint8Array {
  if (error instanceof StatusError) return statusFrame(error);
  if (error instanceof Compacted && start.kind === 'after') {
    return statusFrame(expiredWatch(start.revision, error.oldest));
  }
  throw error;
}

function statusFrame({ status }: StatusError): Uint8Array {
  return watchFrame('ERROR', [Buffer.from(JSON.stringify(status))]);
}

function join(frames: readonly Uint8Array[]): Uint8Array {
  const [only] = frames;
  return frames.length === 1 && only ? only : Buffer.concat(frames);
}
