import { initialEventsEndAnnotation, type KubeObject, StatusError } from '@tributary/apimachinery';
import { TransportError } from '../http/transport-error.ts';
import {
  type CallOptions,
  isExpired,
  type ResourceClient,
  type Selection,
} from '../resource/resource-client.ts';
import {
  isOlder,
  isTooLargeResourceVersion,
  ResourceVersionRegressedError,
} from '../resource/resource-versions.ts';
import type { WatchEvent } from '../resource/watch-events.ts';
import { Backoff, type BackoffOptions, REFLECTOR_BACKOFF } from '../timing/backoff.ts';
import { type Clock, sleep, systemClock } from '../timing/clock.ts';
import { objectKey, requireKey } from './object-store.ts';

/**
 * The source of a reflector; a `ResourceClient` is one. With a `type`, objects must have the namespace that it
 * requires.
 */
export type ListWatch<T extends KubeObject> = Pick<
  ResourceClient<T>,
  'list' | 'listAll' | 'watch'
> &
  Partial<Pick<ResourceClient<T>, 'type'>>;

/** The target of a reflector. A call that throws makes it start over. */
export interface ReflectorSink<T extends KubeObject> {
  /**
   * Replaces all objects. With `newHistory` the server's versions decreased, and an object of a known version need not
   * be the known object.
   */
  replace(
    objects: readonly T[],
    state: { readonly resourceVersion: string; readonly newHistory: boolean },
  ): void;
  apply(event: Exclude<WatchEvent<T>, { type: 'BOOKMARK' }>): void;
}

export interface ReflectorOptions extends Selection {
  readonly clock?: Clock;
  /** At least 0 and less than 1. */
  readonly random?: () => number;
  readonly backoff?: BackoffOptions;
  /** Whether to begin with a watch that sends the initial events (default), or with a list. */
  readonly watchList?: boolean;
  /** The page size of lists, where pages are possible. */
  readonly pageSize?: number;
  /** Watches end after a random time in [1×, 2×] of this. */
  readonly watchTimeoutSeconds?: number;
  /** How long the beginning of a watch may be silent before the server counts as one without `sendInitialEvents`. */
  readonly initialSilenceMs?: number;
  /**
   * Servers send a bookmark every minute. After a longer silence the reflector checks, once in every watch, whether the
   * server has reached the version from which the watch began.
   */
  readonly silenceMs?: number;
  /** Called for every failure. The reflector continues by itself. */
  onError?(error: unknown): void;
}

const DEFAULTS = {
  clock: systemClock,
  random: Math.random,
  backoff: REFLECTOR_BACKOFF,
  watchList: true,
  watchTimeoutSeconds: 300,
  initialSilenceMs: 10_000,
  silenceMs: 90_000,
};
/** A watch that ends this early without an event counts as failed. */
const SHORT_WATCH_MS = 1000;
/** How much longer than its timeout a watch may stay open before its connection counts as dead. */
const WATCH_GRACE_MS = 30_000;
/** After so many failed attempts to resume in a row the reflector starts over. */
const RESUMES_MAX = 5;
/** After so many failed initial watches in a row a list is tried instead. */
const WATCH_LISTS_MAX = 2;

/**
 * Keeps a sink equal to a resource: reads the state, then follows the changes. A broken watch is resumed at the last
 * version; only when the server has compacted that version is the whole state read again.
 */
export class Reflector<T extends KubeObject> {
  readonly #source: ListWatch<T>;
  readonly #sink: ReflectorSink<T>;
  readonly #options: Required<Omit<ReflectorOptions, keyof Selection | 'pageSize' | 'onError'>>;
  readonly #selection: Selection;
  readonly #pageSize: number | undefined;
  readonly #report: (error: unknown) => void;
  readonly #backoff: Backoff;
  #lastVersion = '';
  /** The server cannot serve `#lastVersion`: the next state is the newest one, whatever its version. */
  #versionLost = false;
  /** Versions have decreased. By the time the state arrives they may have grown past the known ones again. */
  #newHistory = false;
  #watchLists: 'possible' | 'unknown to the server';
  /** Failed initial watches in a row. */
  #failedWatchLists = 0;

  constructor(source: ListWatch<T>, sink: ReflectorSink<T>, options: ReflectorOptions = {}) {
    const { labelSelector, fieldSelector, pageSize, onError, ...rest } = options;
    this.#source = source;
    this.#sink = sink;
    this.#options = { ...DEFAULTS, ...rest };
    this.#selection = {
      ...(labelSelector !== undefined && { labelSelector }),
      ...(fieldSelector !== undefined && { fieldSelector }),
    };
    this.#pageSize = pageSize;
    this.#report = (error) => onError?.(error);
    this.#watchLists = this.#options.watchList ? 'possible' : 'unknown to the server';
    this.#backoff = new Backoff(this.#options.backoff, this.#options);
  }

  /** Empty before the first state. */
  get lastSyncResourceVersion(): string {
    return this.#lastVersion;
  }

  /** Runs until the signal fires, then resolves. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const watch = await this.#synchronise(signal);
        const startedMs = this.#options.clock.nowMs();
        await this.#follow(watch, signal);
        // A server that compacts its versions at once must not be listed again and again.
        const lastedMs = this.#options.clock.nowMs() - startedMs;
        if (lastedMs < SHORT_WATCH_MS) await this.#pause(undefined, signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#report(error);
        await this.#pause(error, signal);
      }
    }
  }

  /** Reads the whole state. Its watch continues with the changes after it. */
  async #synchronise(signal: AbortSignal): Promise<OpenWatch<T> | undefined> {
    if (this.#watchLists === 'possible' && this.#failedWatchLists < WATCH_LISTS_MAX) {
      const watch = await this.#watchList(signal);
      if (watch !== undefined) return watch;
    }
    await this.#list(signal);
    this.#failedWatchLists = 0;
    return undefined;
  }

  /** Undefined when a list is to be tried instead. */
  async #watchList(signal: AbortSignal): Promise<OpenWatch<T> | undefined> {
    for (;;) {
      const watch = this.#open(signal, {
        sendInitialEvents: true,
        ...(!this.#versionLost && { resourceVersion: this.#lastVersion }),
      });
      try {
        const { objects, resourceVersion } = await this.#initialEvents(watch);
        this.#replace(objects, resourceVersion);
        this.#failedWatchLists = 0;
        return watch;
      } catch (error) {
        await watch.close();
        signal.throwIfAborted();
        if (isExpired(error) || isTooLargeResourceVersion(error)) {
          if (this.#versionLost) throw error;
          this.#versionLost = true;
          continue;
        }
        this.#failedWatchLists += 1;
        if (!isRefusal(error)) throw error;
        this.#report(error);
        this.#watchLists = 'unknown to the server';
        return undefined;
      }
    }
  }

  /** Reads until the bookmark that ends the initial events. */
  async #initialEvents(watch: OpenWatch<T>): Promise<{ objects: T[]; resourceVersion: string }> {
    const { initialSilenceMs } = this.#options;
    const objects = new Map<string, T>();
    for (;;) {
      const event = await watch.next({
        withinMs: initialSilenceMs,
        otherwise: () => new SilentBeginning(initialSilenceMs),
      });
      if (event === undefined) throw new Error('the watch ended before it had sent everything');
      switch (event.type) {
        case 'ADDED':
        case 'MODIFIED':
          requireKey(event.object, this.#source.type);
          objects.set(objectKey(event.object), event.object);
          break;
        case 'DELETED':
          objects.delete(objectKey(event.object));
          break;
        case 'BOOKMARK':
          if (event.object.metadata.annotations?.[initialEventsEndAnnotation] !== 'true') break;
          return { objects: [...objects.values()], resourceVersion: versionOf(event) };
      }
    }
  }

  async #list(signal: AbortSignal): Promise<void> {
    try {
      await this.#listFrom(this.#relistVersion(), signal);
    } catch (error) {
      if (!isExpired(error) && !isTooLargeResourceVersion(error)) throw error;
      if (this.#versionLost) throw error;
      this.#versionLost = true;
      await this.#listFrom(this.#relistVersion(), signal);
    }
  }

  /** The first state may be of any version; later ones must not be older than the known one, or must be the newest. */
  #relistVersion(): string {
    if (this.#versionLost) return '';
    return this.#lastVersion === '' ? '0' : this.#lastVersion;
  }

  async #listFrom(version: string, signal: AbortSignal): Promise<void> {
    // With a limit, a version means exactly that version, and bypasses the server's cache.
    const pageSize = version === '' || version === '0' ? this.#pageSize : 0;
    const list = await this.#source.listAll({
      ...this.#selection,
      ...this.#callOptions(signal),
      ...(version !== '' && { resourceVersion: version }),
      ...(pageSize !== undefined && { pageSize }),
    });
    const { resourceVersion = '' } = list.metadata;
    if (resourceVersion === '') throw new Error('the server sent a list without a resourceVersion');
    for (const item of list.items) requireKey(item, this.#source.type);
    this.#replace(list.items, resourceVersion);
  }

  /** One retry for an idle connection that broke; otherwise the reflector's own pauses grow and have jitter. */
  #callOptions(signal: AbortSignal): CallOptions {
    return { signal, retriesMax: 1 };
  }

  #replace(objects: readonly T[], resourceVersion: string): void {
    const newHistory = this.#newHistory || this.#compared(resourceVersion) !== undefined;
    this.#sink.replace(objects, { resourceVersion, newHistory });
    this.#lastVersion = resourceVersion;
    this.#versionLost = false;
    this.#newHistory = false;
  }

  /** Follows the changes over as many watches as necessary. Returns when the state must be read again. */
  async #follow(first: OpenWatch<T> | undefined, signal: AbortSignal): Promise<void> {
    let failures = 0;
    let watch = first;
    for (;;) {
      const versionBefore = this.#lastVersion;
      const startedMs = this.#options.clock.nowMs();
      watch ??= this.#open(signal, { resourceVersion: versionBefore });
      const end = await this.#consume(watch, signal);
      watch = undefined;
      signal.throwIfAborted();
      const lastedMs = this.#options.clock.nowMs() - startedMs;
      const worked = lastedMs >= SHORT_WATCH_MS || this.#lastVersion !== versionBefore;
      failures = worked ? 0 : failures + 1;
      if (this.#mustStartOver(end.error)) return;
      if (end.error !== undefined && !isPassing(end.error)) throw end.error;
      if (failures > RESUMES_MAX) throw end.error ?? new Error('every watch ends at once');
      if (end.error !== undefined) this.#report(end.error);
      if (!worked) await this.#pause(end.error, signal);
      // After a broken connection it may be another server.
      if (!(end.error instanceof TransportError)) continue;
      if (await this.#historyIsNew(signal)) return;
    }
  }

  /** Records what kind of state has to be read then. */
  #mustStartOver(error: unknown): boolean {
    if (error instanceof ResourceVersionRegressedError) this.#newHistory = true;
    if (error instanceof ResourceVersionRegressedError || isTooLargeResourceVersion(error)) {
      this.#report(error);
      this.#versionLost = true;
      return true;
    }
    // A state not older than the last version is enough, and servers have it in their cache.
    if (isExpired(error)) this.#report(error);
    return isExpired(error);
  }

  /**
   * A server that was restored from a backup accepts a watch from a version that it has yet to reach, and is silent. So
   * where it may be another server than before, a list of one object checks its version.
   */
  async #historyIsNew(signal: AbortSignal): Promise<boolean> {
    for (;;) {
      try {
        return this.#mustStartOver(await this.#historyProblem(signal));
      } catch (error) {
        signal.throwIfAborted();
        if (!isPassing(error)) throw error;
        this.#report(error);
        await this.#pause(error, signal);
      }
    }
  }

  async #historyProblem(signal: AbortSignal): Promise<ResourceVersionRegressedError | undefined> {
    // A watch may continue during the request.
    const known = this.#lastVersion;
    const { metadata } = await this.#source.list({
      ...this.#selection,
      ...this.#callOptions(signal),
      limit: 1,
    });
    return this.#compared(metadata.resourceVersion ?? '', known);
  }

  /** The same for a silent watch. Never rejects. */
  async #doubt(watch: OpenWatch<T>, signal: AbortSignal): Promise<void> {
    try {
      const problem = await this.#historyProblem(signal);
      if (problem !== undefined) watch.abort(problem);
    } catch (error) {
      if (!signal.aborted) this.#report(error);
    }
  }

  /** The error of a version that arrives now. */
  #compared(version: string, known = this.#lastVersion): ResourceVersionRegressedError | undefined {
    return isOlder(version, known) ? new ResourceVersionRegressedError(known, version) : undefined;
  }

  /** Passes every event to the sink. Never rejects; returns the end of the watch. */
  async #consume(watch: OpenWatch<T>, signal: AbortSignal): Promise<{ error?: unknown }> {
    const { clock, silenceMs } = this.#options;
    const trust = clock.schedule(silenceMs, () => void this.#doubt(watch, signal));
    try {
      for (let event = await watch.next(); event !== undefined; event = await watch.next()) {
        trust();
        const version = versionOf(event);
        const problem = this.#compared(version);
        if (problem !== undefined) throw problem;
        if (event.type !== 'BOOKMARK') {
          requireKey(event.object, this.#source.type);
          this.#sink.apply(event);
        }
        this.#lastVersion = version;
      }
      return {};
    } catch (error) {
      return { error };
    } finally {
      trust();
      await watch.close();
    }
  }

  #open(
    signal: AbortSignal,
    start: { readonly resourceVersion?: string; readonly sendInitialEvents?: true },
  ): OpenWatch<T> {
    const { clock, random, watchTimeoutSeconds } = this.#options;
    const timeoutSeconds = Math.floor(watchTimeoutSeconds * (1 + random()));
    const abort = new AbortController();
    const { resourceVersion = '', sendInitialEvents } = start;
    const events = this.#source.watch({
      ...this.#selection,
      signal: AbortSignal.any([signal, abort.signal]),
      retriesMax: 0,
      allowWatchBookmarks: true,
      timeoutSeconds,
      ...(resourceVersion !== '' && { resourceVersion }),
      ...(sendInitialEvents && { sendInitialEvents, resourceVersionMatch: 'NotOlderThan' }),
    });
    return new OpenWatch(events, { clock, abort, lifeMs: timeoutSeconds * 1000 + WATCH_GRACE_MS });
  }

  async #pause(error: unknown, signal: AbortSignal): Promise<void> {
    const requestedSeconds =
      error instanceof StatusError ? error.status.details?.retryAfterSeconds : undefined;
    const delayMs = Math.max(this.#backoff.next(), (requestedSeconds ?? 0) * 1000);
    try {
      await sleep(this.#options.clock, Math.min(delayMs, PAUSE_MS_MAX), signal);
    } catch {
      // The signal fired, which every loop here checks next.
    }
  }
}

/** Also when a server requests more. */
const PAUSE_MS_MAX = 60_000;

/** A watch that is being read, with deadlines. */
class OpenWatch<T extends KubeObject> {
  readonly #iterator: AsyncGenerator<WatchEvent<T>, void>;
  readonly #clock: Clock;
  readonly #abort: AbortController;
  readonly #stopLifeTimer: () => void;

  constructor(
    events: AsyncGenerator<WatchEvent<T>, void>,
    options: { clock: Clock; abort: AbortController; lifeMs: number },
  ) {
    const { clock, abort, lifeMs } = options;
    this.#iterator = events;
    this.#clock = clock;
    this.#abort = abort;
    this.#stopLifeTimer = clock.schedule(lifeMs, () => {
      abort.abort(timedOut('the watch outlived its time: the connection seems to be dead'));
    });
  }

  /** The next event; undefined at the end. */
  async next(patience?: {
    readonly withinMs: number;
    otherwise(): Error;
  }): Promise<WatchEvent<T> | undefined> {
    const stop =
      patience === undefined
        ? undefined
        : this.#clock.schedule(patience.withinMs, () => this.#abort.abort(patience.otherwise()));
    try {
      const { done, value } = await this.#iterator.next();
      return done === true ? undefined : value;
    } finally {
      stop?.();
    }
  }

  /** A pending `next` rejects with this. */
  abort(reason: Error): void {
    this.#abort.abort(reason);
  }

  async close(): Promise<void> {
    this.#stopLifeTimer();
    this.#abort.abort(new Error('the watch is closed'));
    await this.#iterator.return();
  }
}

/** The server accepted the watch, but seems not to know `sendInitialEvents`. */
class SilentBeginning extends Error {
  constructor(silenceMs: number) {
    super(
      `the watch was silent for ${silenceMs} ms: the server does not seem to know sendInitialEvents`,
    );
    this.name = 'SilentBeginning';
  }
}

/** The server does not support initial events in a watch, and will not next time either. */
function isRefusal(error: unknown): boolean {
  if (error instanceof SilentBeginning) return true;
  return error instanceof StatusError && REFUSALS.has(error.code);
}

const REFUSALS: ReadonlySet<number> = new Set([400, 405, 406, 415, 422]);

/** A failure that does not prevent resuming the watch. */
function isPassing(error: unknown): boolean {
  if (error instanceof TransportError) return true;
  return error instanceof StatusError && (error.code === 429 || error.code >= 500);
}

function versionOf<T extends KubeObject>({ type, object }: WatchEvent<T>): string {
  const { resourceVersion = '' } = object.metadata;
  if (resourceVersion === '')
    throw new Error(`the server sent a ${type} event without a resourceVersion`);
  return resourceVersion;
}

function timedOut(message: string): TransportError {
  return new TransportError(message, {
    code: 'ETIMEDOUT',
    maybeProcessed: true,
    reusedConnection: false,
  });
}
