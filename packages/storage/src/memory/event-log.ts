import type { Revision } from '../contract/revision.ts';
import type { ChangeEvent } from '../contract/storage.ts';

/** Removed events are cut off in batches of this many, so that a removal does not copy the log. */
const TRIM_EVENTS = 4096;

/** Events in the order of their revisions, removed from the oldest on. */
export class EventLog {
  #events: (ChangeEvent | undefined)[] = [];
  /** Events before this index are removed. */
  #start = 0;
  #valueBytes = 0;

  get length(): number {
    return this.#events.length - this.#start;
  }

  /** Bytes of the values, including replaced ones. */
  get valueBytes(): number {
    return this.#valueBytes;
  }

  get oldest(): ChangeEvent | undefined {
    return this.#events[this.#start];
  }

  append(event: ChangeEvent): void {
    this.#events.push(event);
    this.#valueBytes += valueBytesOf(event);
  }

  /** The events after a revision, about `max` of them; those of one commit stay together. */
  after(revision: Revision, max = Number.POSITIVE_INFINITY): readonly ChangeEvent[] {
    const first = this.#firstAfter(revision);
    const events = this.#events;
    let end = Math.min(first + max, events.length);
    while (end < events.length && events[end]?.revision === events[end - 1]?.revision) end += 1;
    return events.slice(first, end) as ChangeEvent[];
  }

  removeUpTo(revision: Revision): void {
    const end = this.#firstAfter(revision);
    for (; this.#start < end; this.#start += 1) {
      this.#valueBytes -= valueBytesOf(this.#events[this.#start] as ChangeEvent);
      this.#events[this.#start] = undefined;
    }
    if (this.#start < TRIM_EVENTS || this.#start * 2 < this.#events.length) return;
    this.#events = this.#events.slice(this.#start);
    this.#start = 0;
  }

  #firstAfter(revision: Revision): number {
    let low = this.#start;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle]?.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function valueBytesOf(event: ChangeEvent): number {
  const { previous } = event;
  const written = event.kind === 'put' && !event.unreadable ? event.value.byteLength : 0;
  return written + (previous === undefined || previous.unreadable ? 0 : previous.value.byteLength);
}
