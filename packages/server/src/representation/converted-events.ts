import type { VersionConverter } from '../conversion/version-converter.ts';
import type { SignalSource } from '../request/cancellation.ts';
import { FrameCatalog } from '../watch-cache/frames.ts';
import type { CacheEvent, Framing, Readable } from '../watch-cache/types.ts';
import type { ServedResource } from './served-resource.ts';

/** A watch event as it is encoded. */
export type ShownEvent =
  | Extract<CacheEvent, { type: 'BOOKMARK' }>
  | {
      readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
      readonly object: Readable;
      frame<T extends Uint8Array>(framing: Framing<T>): T;
    };

/** Frames of converted objects are cached with them, like those of stored objects, and shared by all watchers. */
const frames = new FrameCatalog();

export interface ConversionOptions extends SignalSource {
  /** Selects by the converted object, where the selector does not apply to the stored one. */
  readonly late?: ((shown: Readable) => boolean) | undefined;
}

/** Converts a batch of events to the version of `view`, in the same order, with one conversion call. */
export function convertedEvents(
  { converter }: Pick<ServedResource, 'converter'>,
  events: readonly CacheEvent[],
  options: ConversionOptions,
): readonly ShownEvent[] | Promise<readonly ShownEvent[]> {
  if (converter === undefined) return events;
  const { late } = options;
  if (late !== undefined)
    return selectedEvents(converter, events, { signal: options.signal, late });
  const objects = events.flatMap((event) => (event.type === 'BOOKMARK' ? [] : [event.object]));
  const converted = converter.fromStorage(objects, options);
  return converted instanceof Promise
    ? converted.then((shown) => withObjects(events, shown))
    : withObjects(events, converted);
}

/** Entering the selection is ADDED and leaving it DELETED, as in the watch cache. */
async function selectedEvents(
  converter: VersionConverter,
  events: readonly CacheEvent[],
  { late, ...waiting }: SignalSource & { readonly late: (shown: Readable) => boolean },
): Promise<readonly ShownEvent[]> {
  const concerned = events.flatMap((event): Readable[] => {
    if (event.type === 'BOOKMARK') return [];
    const { previous } = event;
    const left = previous && event.left?.();
    return [event.object, ...(previous ? [previous] : []), ...(left ? objectsOf(left) : [])];
  });
  const converted = await converter.fromStorage(concerned, waiting);
  const shown = new Map(concerned.map((object, index) => [object, converted[index] ?? object]));
  const of = (object: Readable) => shown.get(object) ?? object;
  return events.flatMap((event): ShownEvent[] => {
    if (event.type === 'BOOKMARK') return [event];
    const is = late(of(event.object));
    if (event.type !== 'MODIFIED') return is ? [eventOf(event.type, of(event.object))] : [];
    const was = event.previous !== undefined && late(of(event.previous));
    if (is) return [eventOf(was ? 'MODIFIED' : 'ADDED', of(event.object))];
    const left = was ? event.left?.() : undefined;
    return left ? objectsOf(left).map((object) => eventOf('DELETED', of(object))) : [];
  });
}

function objectsOf(event: CacheEvent): Readable[] {
  return event.type === 'BOOKMARK' ? [] : [event.object];
}

function withObjects(
  events: readonly CacheEvent[],
  converted: readonly Readable[],
): readonly ShownEvent[] {
  let at = 0;
  return events.map((event) => {
    if (event.type === 'BOOKMARK') return event;
    const object = converted[at] ?? event.object;
    at += 1;
    return object === event.object ? event : eventOf(event.type, object);
  });
}

function eventOf(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: Readable): ShownEvent {
  return { type, object, frame: (framing) => object.derived(frames.of(framing, type)) };
}
