import type { Clock } from '@tributary/client';
import type { RemoteGroups } from '@tributary/client/controller';
import { GroupAway, GroupBusy } from './errors.ts';

/** Which servers can be asked, and that nobody waits for one for long. */
export interface GroupHealth {
  /** Why it cannot be asked; undefined: it can, as far as is known. */
  problemOf(apiVersion: string): string | undefined;
  isRemote(apiVersion: string): boolean;
  /** Whether so many are at work with its server that the next one would be refused. */
  isBusy(apiVersion: string): boolean;
  /**
   * A seat with each of these servers, for one piece of work with all its requests: who has begun is not sent away in
   * the middle for somebody who comes later. Throws `GroupBusy` or `GroupAway`; gives back what gives the seats back.
   */
  reserve(apiVersions: Iterable<string>): () => void;
  /**
   * Requests to one server at a time have a bound, and end when it is found to be away. Throws `GroupBusy` or
   * `GroupAway` then.
   */
  ask<T>(apiVersion: string, request: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Told when a server can be asked again, or no more. */
  follow(hear: () => void): () => void;
  /** Told when a seat is free, or a server has answered. */
  followSeats(hear: () => void): () => void;
}

/** Of the workers, so that the rest is left for everybody else. */
const SEATS_MAX = 4;
/** Of all who have a seat, and of whoever learns only at work whom it must ask. */
const REQUESTS_MAX = 16;
/** A server that is available answers a request for one object in far less. */
const REQUEST_MS_MAX = 10_000;

export function groupHealth(
  remote: Pick<RemoteGroups, 'all' | 'follow'> | undefined,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): GroupHealth {
  const listeners = new Set<() => void>();
  const seatListeners = new Set<() => void>();
  const underWay = new Map<string, Set<AbortController>>();
  let known: ReadonlyMap<string, string | undefined> | undefined;
  const all = () => {
    known ??= remote?.all() ?? new Map<string, string | undefined>();
    return known;
  };
  const leave = remote?.follow(() => {
    known = undefined;
    for (const [apiVersion, requests] of underWay) {
      const why = all().get(apiVersion);
      if (why === undefined) continue;
      for (const request of requests) request.abort(new GroupAway(apiVersion, why));
    }
    for (const hear of listeners) hear();
  });
  if (leave) signal.addEventListener('abort', leave, { once: true });

  const taken = new Map<string, number>();
  const seatsOf = (apiVersion: string) => taken.get(apiVersion) ?? 0;
  const isFull = (apiVersion: string) => (underWay.get(apiVersion)?.size ?? 0) >= REQUESTS_MAX;
  const isBusy = (apiVersion: string) => seatsOf(apiVersion) >= SEATS_MAX || isFull(apiVersion);
  const tellSeats = () => {
    for (const hear of seatListeners) hear();
  };
  const requireThere = (apiVersion: string) => {
    const why = all().get(apiVersion);
    if (why !== undefined) throw new GroupAway(apiVersion, why);
  };
  const askRemote = async <T>(
    apiVersion: string,
    request: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    const requests = underWay.get(apiVersion) ?? new Set<AbortController>();
    if (isFull(apiVersion)) throw new GroupBusy(apiVersion);
    underWay.set(apiVersion, requests);
    const stop = new AbortController();
    requests.add(stop);
    const cancelTimer = clock.schedule(REQUEST_MS_MAX, () => {
      stop.abort(new GroupAway(apiVersion, `no answer within ${REQUEST_MS_MAX / 1000} s`));
    });
    try {
      return await request(AbortSignal.any([signal, stop.signal]));
    } catch (error) {
      throw stop.signal.aborted && !signal.aborted ? stop.signal.reason : error;
    } finally {
      cancelTimer();
      requests.delete(stop);
      if (requests.size === 0) underWay.delete(apiVersion);
      tellSeats();
    }
  };

  return {
    problemOf: (apiVersion) => all().get(apiVersion),
    isRemote: (apiVersion) => all().has(apiVersion),
    isBusy,
    async ask(apiVersion, request) {
      if (!all().has(apiVersion)) return request(signal);
      requireThere(apiVersion);
      return askRemote(apiVersion, request);
    },
    reserve(apiVersions) {
      const wanted = [...new Set(apiVersions)].filter((apiVersion) => all().has(apiVersion));
      for (const apiVersion of wanted) {
        requireThere(apiVersion);
        if (isBusy(apiVersion)) throw new GroupBusy(apiVersion);
      }
      for (const apiVersion of wanted) taken.set(apiVersion, seatsOf(apiVersion) + 1);
      return () => {
        for (const apiVersion of wanted) {
          const left = seatsOf(apiVersion) - 1;
          if (left > 0) taken.set(apiVersion, left);
          else taken.delete(apiVersion);
        }
        if (wanted.length > 0) tellSeats();
      };
    },
    follow(hear) {
      listeners.add(hear);
      return () => void listeners.delete(hear);
    },
    followSeats(hear) {
      seatListeners.add(hear);
      return () => void seatListeners.delete(hear);
    },
  };
}
