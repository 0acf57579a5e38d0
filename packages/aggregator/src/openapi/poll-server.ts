import type { Clock } from '@tributary/client';
import type { Backends } from '@tributary/proxy';
import type { Logger } from '@tributary/server';
import type { RemoteRegistration } from '../api-services/registration.ts';
import type { Availability } from '../availability/availability.ts';
import type { DocumentStore } from '../document-store/document-store.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { DocumentThread } from './document-thread.ts';
import {
  fetchServerV2,
  fetchServerV3,
  type ServerRequestOptions,
} from './fetch-server-documents.ts';
import {
  bytesOf,
  type KnownDocuments,
  type KnownV2,
  type KnownV3,
  nothingKnown,
  storedV2,
  storedV3,
} from './stored-documents.ts';

export interface PollDependencies {
  readonly backends: Pick<Backends, 'of'>;
  readonly availability: Pick<Availability, 'refusal'>;
  readonly documents: Pick<DocumentStore, 'write'>;
  readonly thread: DocumentThread;
  /** Limits documents that are being read, and cached ones. */
  readonly reading: ByteBudget;
  readonly keeping: ByteBudget;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called when a document of a registration has changed. */
  readonly changed: (name: string, version: 'v2' | 'v3') => void;
  /** Called after every round of requests to a backend, when the next one is scheduled. */
  readonly onAsked?: ((name: string) => void) | undefined;
}

/** The documents of one registration's backend, which are polled. */
export interface PolledServer {
  readonly registration: RemoteRegistration;
  readonly known: KnownDocuments;
  /** Uses stored documents where none are known yet. */
  recall(stored: KnownDocuments): void;
  /** The backend may be another one now; known documents stay until the next fetch. */
  register(registration: RemoteRegistration): void;
  /** The availability of the backend has changed. */
  availabilityChanged(): void;
  close(): Promise<void>;
}

/** The delay after a registration, so that other registrations of the backend are known, too. */
export const FIRST_ASK_MS = 200;
export const ASK_EVERY_MS = 60_000;
export const RETRY_MS_MIN = 1_000;
export const RETRY_MS_MAX = 60_000;

export function pollServer(
  first: RemoteRegistration,
  dependencies: PollDependencies,
): PolledServer {
  const { availability, clock, documents, keeping, log, changed } = dependencies;
  let registration = first;
  let known = nothingKnown;
  let failures = 0;
  let lastProblem = '';
  let round = new AbortController();
  let polling: Promise<void> | undefined;
  let cancelTimer = () => {};
  let closed = false;

  const pollAfter = (delayMs: number): void => {
    cancelTimer();
    if (closed) return;
    cancelTimer = clock.schedule(delayMs, () => {
      polling ??= pollAndReport().finally(() => {
        polling = undefined;
      });
    });
  };

  /** Aborts the running round; the next one begins when it has ended. */
  const startOver = (): void => {
    round.abort(new Error('the registration or its server has changed'));
    round = new AbortController();
    failures = 0;
    pollAfter(FIRST_ASK_MS);
  };

  const pollAndReport = async (): Promise<void> => {
    if (availability.refusal(registration.name) !== undefined) return pollAfter(ASK_EVERY_MS);
    const { signal } = round;
    const problem = await problemOf(() => fetchBoth(signal));
    if (signal.aborted) return pollAfter(FIRST_ASK_MS);
    report(problem);
    failures = problem === undefined ? 0 : failures + 1;
    pollAfter(problem === undefined ? ASK_EVERY_MS : retryDelay(failures));
    dependencies.onAsked?.(registration.name);
  };

  /** In parallel, except where one document is converted from the other. */
  const fetchBoth = async (signal: AbortSignal): Promise<void> => {
    const backend = dependencies.backends.of(registration);
    const request: ServerRequestOptions = { ...dependencies, registration, backend, signal };
    const v2 = fetchServerV2(request, known.v2);
    const v3 = fetchServerV3(
      request,
      known.v3,
      v2.catch(() => known.v2),
    );
    const results = await Promise.allSettled([
      v2.then((found) => signal.aborted || updateV2(found)),
      v3.then((found) => signal.aborted || updateV3(found)),
    ]);
    for (const one of results) if (one.status === 'rejected') throw one.reason;
  };

  const updateV2 = (found: KnownV2 | undefined): void => {
    if (found === undefined || found === known.v2) return;
    const isOther = found.part.hash !== known.v2?.part.hash;
    if (!update({ ...known, v2: found })) {
      throw new Error('there is no room for its document of OpenAPI 2.0');
    }
    documents.write(storedV2(registration, found, clock.nowMs()));
    if (isOther) changed(registration.name, 'v2');
  };

  const updateV3 = (found: KnownV3 | undefined): void => {
    if (found === undefined || found === known.v3) return;
    const before = known.v3;
    if (!update({ ...known, v3: found })) {
      const { source } = found;
      update({ ...known, v3: { kind: 'proxied', source } });
    } else if (found.kind === 'kept') {
      for (const one of storedV3(registration, found, clock.nowMs())) documents.write(one);
    }
    const isSame = before?.kind === 'kept' && found.kind === 'kept';
    if (!isSame || before.published !== found.published) changed(registration.name, 'v3');
  };

  /** False, without a change, when the cache is full. */
  const update = (next: KnownDocuments): boolean => {
    const more = bytesOf(next) - bytesOf(known);
    if (more > 0 && !keeping.take(more)) return false;
    if (more < 0) keeping.give(-more);
    known = next;
    return true;
  };

  /** Logs a failure once until it changes. */
  const report = (problem: Error | undefined): void => {
    const message = problem?.message ?? '';
    if (problem !== undefined && message !== lastProblem) {
      log.info('Fetching OpenAPI document of API server failed', {
        err: String(problem),
        apiService: registration.name,
      });
    }
    lastProblem = message;
  };

  pollAfter(FIRST_ASK_MS);
  return {
    get registration() {
      return registration;
    },
    get known() {
      return known;
    },
    recall(stored) {
      if (closed) return;
      const before = known;
      const v2 = known.v2 ?? stored.v2;
      if (v2 !== before.v2 && update({ ...known, v2 })) changed(registration.name, 'v2');
      const v3 = known.v3 ?? stored.v3;
      if (v3 !== before.v3 && update({ ...known, v3 })) changed(registration.name, 'v3');
    },
    register(next) {
      if (next.uid !== registration.uid) update(nothingKnown); // an APIService created anew does not inherit documents
      registration = next;
      startOver();
    },
    availabilityChanged() {
      if (availability.refusal(registration.name) !== undefined) return startOver();
      failures = 0;
      if (polling === undefined) pollAfter(FIRST_ASK_MS);
    },
    async close() {
      closed = true;
      cancelTimer();
      update(nothingKnown);
      round.abort(new Error('the registration is gone, or the server is shutting down'));
      await polling;
    },
  };
}

export function retryDelay(failures: number): number {
  return Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** Math.min(failures - 1, 16));
}

async function problemOf(run: () => Promise<void>): Promise<Error | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
