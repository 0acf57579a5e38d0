import type { CacheEvent, Framing } from '../watch-cache/types.ts';
import type { ShownEvent } from './converted-events.ts';
import type { Chunks, Form } from './form.ts';
import { ownBytes } from './own-bytes.ts';

type EventType = CacheEvent['type'] | 'ERROR';

const OBJECT_END = Buffer.from('}\n');
const starts: Readonly<Record<EventType, Uint8Array>> = {
  ADDED: startOf('ADDED'),
  MODIFIED: startOf('MODIFIED'),
  DELETED: startOf('DELETED'),
  BOOKMARK: startOf('BOOKMARK'),
  ERROR: startOf('ERROR'),
};

/** One watch event as a line. */
export function watchFrame(type: EventType, object: Chunks): Uint8Array {
  return ownBytes([starts[type], ...object, OBJECT_END]);
}

/** A form with the framing of its watch events. */
export interface ServedForm extends Form {
  /** Shared by identity; absent when events contain durations. */
  readonly framing: Framing<Uint8Array> | undefined;
}

export function withFraming(form: Form): ServedForm {
  const framing: Framing<Uint8Array> = {
    make: (type, object) => watchFrame(type, form.watched(object, 0, false)),
  };
  return { ...form, framing: form.isTimeless ? framing : undefined };
}

/** The encoder of one watch; it shares everything possible with other watches in the same form. */
export function watchFrameEncoder(
  form: ServedForm,
  nowMs: () => number,
): (event: ShownEvent) => Uint8Array {
  let isFirst = true;
  return (event) => {
    const first = isFirst;
    isFirst = false;
    if (event.type === 'BOOKMARK') {
      const { revision, initialEventsEnd } = event;
      const head = { resourceVersion: String(revision), initialEventsEnd };
      return watchFrame('BOOKMARK', form.bookmark(head, first));
    }
    if (form.framing !== undefined && !(first && form.isAnnounced))
      return event.frame(form.framing);
    return watchFrame(event.type, form.watched(event.object, nowMs(), first));
  };
}

function startOf(type: EventType): Uint8Array {
  return Buffer.from(`{"type":"${type}","object":`);
}
