/** A client that watches for ever: whenever it is cut off it goes on where it was. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpVersion, httpsStream, type SeededRandom } from '../harness/index.ts';
import { ApiClient } from './api-client.ts';
import { collectionPath, readItem, type Selection } from './flunders.ts';
import type { WatchEvent, WatchLog, WatchSession } from './history.ts';
import type { Recorder } from './recorder.ts';
import type { Target } from './target.ts';

export interface WatcherOptions {
  readonly name: string;
  readonly selection: Selection;
  readonly http: HttpVersion;
  readonly bookmarks: boolean;
  /** Reads with pauses, so that it is behind. */
  readonly sleepy: boolean;
}

/** After so many events it leaves by itself, and comes back; one that wants bookmarks stays for the server's time limit. */
const LIFE_EVENTS = { min: 1, max: 200 } as const;
/** A server sends a bookmark two seconds before it ends a watch, at the next full second. */
const TIMEOUT_SECONDS = 3;
/** How many writes are acknowledged while it pauses. */
const PAUSE_WRITES = 50;
const POLL_MS = 20;

export class Watcher {
  readonly #options: WatcherOptions;
  readonly #target: Target;
  readonly #recorder: Recorder;
  readonly #random: SeededRandom;
  readonly #sessions: WatchSession[] = [];
  readonly #awake = new AbortController();
  #place = 0;
  #events = 0;
  #bookmarks = 0;

  constructor(
    options: WatcherOptions,
    parts: { target: Target; recorder: Recorder; random: SeededRandom },
  ) {
    this.#options = options;
    this.#target = parts.target;
    this.#recorder = parts.recorder;
    this.#random = parts.random;
  }

  get log(): WatchLog {
    const { name, selection } = this.#options;
    return { watcher: name, scope: selection.scope, sessions: this.#sessions };
  }

  /** The last revision it was told. */
  get place(): number {
    return this.#place;
  }

  get events(): number {
    return this.#events;
  }

  get bookmarks(): number {
    return this.#bookmarks;
  }

  /** Ends the pauses: all writers have stopped. */
  stayAwake(): void {
    this.#awake.abort();
  }

  get #isSleepy(): boolean {
    return this.#options.sleepy && !this.#awake.signal.aborted;
  }

  selects(key: string, token: string): boolean {
    return this.#options.selection.scope.selects(key, token);
  }

  async run(signal: AbortSignal): Promise<void> {
    let start: WatchSession['start'] = 'list';
    while (!signal.aborted) {
      if (start === 'list') this.#place = await this.#list(signal);
      const after = this.#place;
      const { events, end } = await this.#session(after, signal);
      this.#sessions.push({ start, after, events, end });
      start = end === 'expired' ? 'list' : 'resume';
    }
  }

  async #list(signal: AbortSignal): Promise<number> {
    const { name, selection } = this.#options;
    const client = new ApiClient(name, this.#target);
    try {
      while (!signal.aborted) {
        const list = await this.#recorder.list(client, selection);
        if (list !== undefined) {
          this.#recorder.lists.push(list);
          return list.revision;
        }
        await sleep(POLL_MS);
      }
      throw new Error(`${name} could not list`);
    } finally {
      client.close();
    }
  }

  /** One connection, until it ends, from either side. */
  async #session(
    after: number,
    signal: AbortSignal,
  ): Promise<{ events: WatchEvent[]; end: WatchSession['end'] }> {
    const events: WatchEvent[] = [];
    const { http } = this.#options;
    try {
      const url = (await this.#target.url()) + this.#path(after);
      const opening = httpsStream(url, { http, signal, ...this.#target.credentials });
      await using stream = await orLost(opening, this.#target.lost);
      const last = this.#lastEvent();
      for await (const line of stream.lines) {
        const event = this.#read(line);
        if (event === 'expired') return { events, end: 'expired' };
        if (event === undefined) break;
        events.push(event);
        this.#place = event.revision;
        if (event.type === 'BOOKMARK') this.#bookmarks += 1;
        else this.#events += 1;
        if (events.length === last) break;
        if (this.#isSleepy && this.#random.chance(0.02)) await this.#pause(signal);
      }
    } catch {
      // However a connection ends, the client goes on where it was.
    }
    if (events.length === 0) await sleep(POLL_MS);
    return { events, end: 'cut' };
  }

  #lastEvent(): number {
    const { min, max } = LIFE_EVENTS;
    return this.#options.bookmarks ? Number.POSITIVE_INFINITY : this.#random.int(min, max);
  }

  async #pause(signal: AbortSignal): Promise<void> {
    const end = AbortSignal.any([signal, this.#awake.signal]);
    await this.#recorder.acknowledges(PAUSE_WRITES, end).catch(() => undefined); // It is woken up.
  }

  #path(after: number): string {
    const { selection, bookmarks } = this.#options;
    const query = new URLSearchParams({
      ...selection.query,
      watch: 'true',
      resourceVersion: String(after),
      ...(bookmarks && { allowWatchBookmarks: 'true', timeoutSeconds: String(TIMEOUT_SECONDS) }),
    });
    return `${collectionPath(selection.namespace)}?${query}`;
  }

  /** Undefined for an error that says no more than that the watch is over. */
  #read(line: unknown): WatchEvent | 'expired' | undefined {
    const { type, object } = line as { type: WatchEvent['type'] | 'ERROR'; object: unknown };
    const at = this.#recorder.moment();
    if (type === 'ERROR') {
      return (object as { code?: number }).code === 410 ? 'expired' : undefined;
    }
    if (type === 'BOOKMARK') {
      const { metadata } = object as { metadata: { resourceVersion: string } };
      return { type, revision: Number(metadata.resourceVersion), at };
    }
    return { type, ...readItem(object), at };
  }
}

/** A connection that is lost before its answer began may never say so. */
export async function orLost<T>(work: Promise<T>, lost: AbortSignal): Promise<T> {
  const gone = Promise.withResolvers<never>();
  const reject = () => gone.reject(new Error('the server is gone'));
  lost.addEventListener('abort', reject);
  if (lost.aborted) reject();
  try {
    return await Promise.race([work, gone.promise]);
  } finally {
    lost.removeEventListener('abort', reject);
  }
}
