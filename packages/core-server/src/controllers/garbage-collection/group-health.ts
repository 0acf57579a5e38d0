import type { Clock } from '@tributary/client';
import type { RemoteGroups } from '@tributary/client/controller';
import { GroupBusy, GroupUnavailable } from './errors.ts';

/** Seats per remote server: most workers stay free for others. */
const SEATS_MAX = 4;
/** Concurrent requests per remote server, of workers with a seat and of those that learn its name while working. */
const REQUESTS_MAX = 16;
/** An available server responds to a request for one object much faster. */
const REQUEST_MS_MAX = 10_000;

/** The availability of remote servers, and limits that keep a slow one from occupying all workers. */
export class GroupHealth {
  readonly #remote: Pick<RemoteGroups, 'all' | 'follow'> | undefined;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #listeners = new Set<() => void>();
  readonly #seatListeners = new Set<() => void>();
  readonly #requests = new Map<string, Set<AbortController>>();
  readonly #seats = new Map<string, number>();
  #groups: ReadonlyMap<string, string | undefined> | undefined;

  constructor(
    remote: Pick<RemoteGroups, 'all' | 'follow'> | undefined,
    { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  ) {
    this.#remote = remote;
    this.#clock = clock;
    this.#signal = signal;
    const unsubscribe = remote?.follow(() => this.#groupsChanged());
    if (unsubscribe) signal.addEventListener('abort', unsubscribe, { once: true });
  }

  /** The error of an unavailable server; undefined when it is available as far as known. */
  problemOf(apiVersion: string): string | undefined {
    return this.#all().get(apiVersion);
  }

  isRemote(apiVersion: string): boolean {
    return this.#all().has(apiVersion);
  }

  /** Whether all seats or requests of the server are in use. */
  isBusy(apiVersion: string): boolean {
    return this.#seatsOf(apiVersion) >= SEATS_MAX || this.#isFull(apiVersion);
  }

  /**
   * Reserves a seat at each of these servers for one attempt with all its requests, so that an attempt is not rejected
   * halfway. Throws `GroupBusy` or `GroupUnavailable`; returns a function that releases the seats.
   */
  reserve(apiVersions: Iterable<string>): () => void {
    const reserved = [...new Set(apiVersions)].filter((apiVersion) => this.isRemote(apiVersion));
    for (const apiVersion of reserved) {
      this.#requireAvailable(apiVersion);
      if (this.isBusy(apiVersion)) throw new GroupBusy(apiVersion);
    }
    for (const apiVersion of reserved) this.#seats.set(apiVersion, this.#seatsOf(apiVersion) + 1);
    return () => this.#release(reserved);
  }

  /**
   * Sends a request, which is aborted when its server becomes unavailable. Concurrent requests per server are bounded.
   * Throws `GroupBusy` or `GroupUnavailable`.
   */
  async request<T>(apiVersion: string, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (!this.isRemote(apiVersion)) return send(this.#signal);
    this.#requireAvailable(apiVersion);
    return this.#requestRemote(apiVersion, send);
  }

  /** Calls the listener when the availability of a server changes. Returns a function that removes it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Calls the listener when a seat is released or a request ends. Returns a function that removes it. */
  onRelease(listener: () => void): () => void {
    this.#seatListeners.add(listener);
    return () => void this.#seatListeners.delete(listener);
  }

  #all(): ReadonlyMap<string, string | undefined> {
    this.#groups ??= this.#remote?.all() ?? new Map<string, string | undefined>();
    return this.#groups;
  }

  #groupsChanged(): void {
    this.#groups = undefined;
    for (const [apiVersion, requests] of this.#requests) {
      const problem = this.problemOf(apiVersion);
      if (problem === undefined) continue;
      for (const request of requests) request.abort(new GroupUnavailable(apiVersion, problem));
    }
    for (const listener of this.#listeners) listener();
  }

  async #requestRemote<T>(
    apiVersion: string,
    send: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const requests = this.#requests.get(apiVersion) ?? new Set<AbortController>();
    if (this.#isFull(apiVersion)) throw new GroupBusy(apiVersion);
    this.#requests.set(apiVersion, requests);
    const stop = new AbortController();
    requests.add(stop);
    const cancelTimer = this.#clock.schedule(REQUEST_MS_MAX, () => {
      const problem = `no response within ${REQUEST_MS_MAX / 1000} s`;
      stop.abort(new GroupUnavailable(apiVersion, problem));
    });
    const signal = this.#signal;
    try {
      return await send(AbortSignal.any([signal, stop.signal]));
    } catch (error) {
      throw stop.signal.aborted && !signal.aborted ? stop.signal.reason : error;
    } finally {
      cancelTimer();
      requests.delete(stop);
      if (requests.size === 0) this.#requests.delete(apiVersion);
      this.#notifyRelease();
    }
  }

  #requireAvailable(apiVersion: string): void {
    const problem = this.problemOf(apiVersion);
    if (problem !== undefined) throw new GroupUnavailable(apiVersion, problem);
  }

  #isFull(apiVersion: string): boolean {
    return (this.#requests.get(apiVersion)?.size ?? 0) >= REQUESTS_MAX;
  }

  #seatsOf(apiVersion: string): number {
    return this.#seats.get(apiVersion) ?? 0;
  }

  #release(apiVersions: readonly string[]): void {
    for (const apiVersion of apiVersions) {
      const remaining = this.#seatsOf(apiVersion) - 1;
      if (remaining > 0) this.#seats.set(apiVersion, remaining);
      else this.#seats.delete(apiVersion);
    }
    if (apiVersions.length > 0) this.#notifyRelease();
  }

  #notifyRelease(): void {
    for (const listener of this.#seatListeners) listener();
  }
}
