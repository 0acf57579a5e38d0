import type { Clock } from '@tributary/storage';
import type { ApiDefinition } from '../definition/api.ts';
import {
  type DocumentOptions,
  infoOf,
  type LocalDocuments,
  lazyDocuments,
} from './local-documents.ts';

interface FollowingOptions extends Omit<DocumentOptions, 'modifiedMs'> {
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** As upstream, which rebuilds its documents about a second after a change. */
const STALE_MS = 1000;

/**
 * Documents of the served resources, which may change. They are built on request. Within a second of a change, a
 * request may get the last complete document while the next one is built; later it waits for that. Only one is built at
 * a time, and changes in between wait for the next: many changes at once lead to a document or two. In version 3 only
 * the documents of changed groups are built again, in version 2 all of it.
 */
export function liveDocuments(
  apis: () => readonly ApiDefinition[],
  { clock, ...options }: FollowingOptions,
): LocalDocuments {
  // The title names the groups at the start: otherwise every change would change all documents.
  const info = infoOf(apis(), options);
  let seen = { apis: apis(), sinceMs: clock.nowMs() };
  const lookNow = () => {
    const current = apis();
    if (current !== seen.apis) seen = { apis: current, sinceMs: clock.nowMs() };
    return seen;
  };
  const make = (current: readonly ApiDefinition[]): LocalDocuments =>
    lazyDocuments(current, { ...options, info, modifiedMs: clock.nowMs() });
  return {
    v2: following(lookNow, clock, (current) => make(current).v2()),
    v3: following(lookNow, clock, (current) => make(current).v3()),
  };
}

interface Seen {
  readonly apis: readonly ApiDefinition[];
  /** When a request first saw it. */
  readonly sinceMs: number;
}

interface Made<T> {
  readonly apis: readonly ApiDefinition[];
  readonly document: T;
}

function following<T>(
  lookNow: () => Seen,
  clock: Pick<Clock, 'nowMs'>,
  make: (apis: readonly ApiDefinition[]) => Promise<T>,
): () => Promise<T> {
  let last: Made<T> | undefined;
  let making: Promise<Made<T>> | undefined;
  const begin = (apis: readonly ApiDefinition[]): Promise<Made<T>> => {
    const begun = make(apis).then((document) => ({ apis, document }));
    making = begun.finally(() => {
      making = undefined;
    });
    // Waiting requests get the error; the next request retries.
    making.then(
      (made) => {
        last = made;
      },
      () => undefined,
    );
    return making;
  };
  return async () => {
    for (;;) {
      const { apis, sinceMs } = lookNow();
      if (last?.apis === apis) return last.document;
      const next = making ?? begin(apis);
      if (last !== undefined && clock.nowMs() - sinceMs < STALE_MS) return last.document;
      const made = await next;
      // A request accepts one document that was begun before the last change, and does not wait for another.
      if (made.apis === apis || lookNow().apis !== apis) return made.document;
    }
  };
}
