import type { Clock } from '@tributary/client';
import type { RemoteGroups } from '../namespace/remote-groups.ts';
import { GroupAway, GroupBusy } from './errors.ts';

/** Which servers can be asked, and that nobody waits for one for long. */
export interface GroupHealth {
  /** Why it cannot be asked; undefined: it can, as far as is known. */
  problemOf(apiVersion: string): string | undefined;
  isRemote(apiVersion: string): boolean;
  /**
   * Requests to one server at a time have a bound, and end when it is found to be away. Throws `GroupBusy` or
   * `GroupAway` then.
   */
  ask<T>(apiVersion: string, request: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Told when a server can be asked again, or no more. */
  follow(hear: () => void): () => void;
}

/** Of the workers, so that the rest is left for everybody else. */
const REQUESTS_MAX = 4;
/** A server that is available answers a request for one object in far less. */
const REQUEST_MS_MAX = 10_000;

export function groupHealth(
  remote: Pick<RemoteGroups, 'all' | 'follow'> | undefined,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): GroupHealth {
  const listeners = new Set<() => void>();
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

  const askRemote = async <T>(
    apiVersion: string,
    request: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    const requests = underWay.get(apiVersion) ?? new Set<AbortController>();
    if (requests.size >= REQUESTS_MAX) throw new GroupBusy(apiVersion);
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
    }
  };

  return {
    problemOf: (apiVersion) => all().get(apiVersion),
    isRemote: (apiVersion) => all().has(apiVersion),
    async ask(apiVersion, request) {
      if (!all().has(apiVersion)) return request(signal);
      const why = all().get(apiVersion);
      if (why !== undefined) throw new GroupAway(apiVersion, why);
      return askRemote(apiVersion, request);
    },
    follow(hear) {
      listeners.add(hear);
      return () => void listeners.delete(hear);
    },
  };
}
