/** Reads a watch in the background, so that steps run while it is open. */
import { at, type Json } from './json.ts';

export class EventLog {
  readonly events: Json[] = [];
  /** The server ended the stream, in order or not. */
  closed = false;
  #changed = Promise.withResolvers<void>();

  constructor(source: AsyncIterable<Json>, options: { keepBookmarks: boolean }) {
    void this.#read(source, options);
  }

  /** Until that many events are there, the stream has ended or patience is over. */
  async wait(until: { events: number | 'closed'; patienceMs: number }): Promise<void> {
    const over = Promise.withResolvers<'over'>();
    const timer = setTimeout(() => over.resolve('over'), until.patienceMs);
    try {
      while (!this.closed && (until.events === 'closed' || this.events.length < until.events)) {
        const next = await Promise.race([this.#changed.promise, over.promise]);
        if (next === 'over') return;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  async #read(source: AsyncIterable<Json>, options: { keepBookmarks: boolean }): Promise<void> {
    try {
      for await (const event of source) {
        if (options.keepBookmarks || !marksTimeOnly(event)) this.events.push(event);
        this.#notify();
      }
    } catch (error) {
      // A cut connection and a frame that is no JSON are facts about the stream.
      this.events.push({ type: '<broken>', object: String(error).replace(/https:\S+/, '<url>') });
    } finally {
      this.closed = true;
      this.#notify();
    }
  }

  #notify(): void {
    const { resolve } = this.#changed;
    this.#changed = Promise.withResolvers();
    resolve();
  }
}

function marksTimeOnly(event: Json): boolean {
  if (at(event, 'type') !== 'BOOKMARK') return false;
  const end = at(event, 'object', 'metadata', 'annotations', 'k8s.io/initial-events-end');
  return end !== 'true';
}
