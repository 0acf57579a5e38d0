import type { Clock } from '@tributary/storage';
import type { ApiDefinition } from '../definition/api.ts';
import {
  type DocumentOptions,
  infoOf,
  type LocalDocuments,
  lazyDocuments,
} from './local-documents.ts';

export interface FollowingOptions extends Omit<DocumentOptions, 'modifiedMs'> {
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** As upstream, which remakes its documents about a second after a change. */
const STALE_MS = 1000;

/**
 * Documents about what is served, which may change. Nothing is made unless somebody asks. Who asks within a second of a
 * change may be given the last complete document while the next one is made; who asks later waits for it. Only one is
 * made at a time, and what changes meanwhile waits for the next: many changes at once lead to a document or two. Of
 * version 3 only the documents of groups that changed are made again, of version 2 everything is.
 */
export function followingDocuments(
  apis: () => readonly ApiDefinition[],
  { clock, ...options }: FollowingOptions,
): LocalDocuments {
  // Documents name the groups that a server began with: otherwise all would change with each.
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
  /** When somebody first saw it. */
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
    // Who waits is told; nobody else needs to know, because the next who asks begins again.
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
      // Whoever waited for one that was begun before the last change has waited long enough.
      if (made.apis === apis || lookNow().apis !== apis) return made.document;
    }
  };
}
