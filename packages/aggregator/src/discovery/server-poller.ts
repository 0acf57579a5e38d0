import type { Logger } from '@tributary/server';
import type { RemoteRegistration } from '../api-services/registration.ts';
import { type ServerDocumentsOptions, serverDocuments } from './server-documents.ts';

/** Polling intervals. */
export const pollTimes = {
  /** As upstream. */
  refreshMs: 60_000,
  /** With conditional requests. */
  conditionalRefreshMs: 10_000,
  firstRetryMs: 500,
  lastRetryMs: 60_000,
} as const;

/** Schedules the fetches of one backend, for all of its registrations: one at a time. */
export interface ServerPoller {
  readonly isUnused: boolean;
  /** Replaces a registration of that name. */
  add(registration: RemoteRegistration): void;
  remove(name: string): void;
  /** `anew` aborts a running fetch first, because it may hang. */
  poll(how: 'soon' | 'anew'): void;
  close(): Promise<void>;
}

export function serverPoller(options: ServerDocumentsOptions): ServerPoller {
  const { clock, log } = options;
  const members = new Map<string, RemoteRegistration>();
  const documents = serverDocuments({
    ...options,
    // A removed registration may have another backend by now.
    onFinding: (name, finding) => {
      if (members.has(name)) options.onFinding(name, finding);
    },
  });
  const failureLogger = failureLog(log);
  let failures = 0;
  let running: { readonly abort: AbortController; readonly done: Promise<void> } | undefined;
  let again = false;
  let closed = false;
  let cancelTimer = () => {};

  const poll = (how: 'soon' | 'anew') => {
    if (closed || members.size === 0) return;
    if (how === 'anew') failures = 0; // the next failure counts as the first one
    if (running !== undefined) {
      again = true;
      if (how === 'anew') running.abort.abort(new Error('it is asked anew'));
      return;
    }
    cancelTimer();
    const abort = new AbortController();
    running = { abort, done: run(abort.signal) };
  };

  /** Never rejects. */
  const run = async (signal: AbortSignal) => {
    await Promise.resolve(); // registrations of the same turn share one fetch
    again = false;
    const registrations = [...members.values()];
    try {
      await documents.fetch(registrations, signal);
      failures = 0;
      failureLogger.end(registrations);
    } catch (error) {
      if (!signal.aborted) {
        failures += 1;
        failureLogger.add(registrations, error);
      }
    }
    running = undefined;
    if (closed) return;
    if (again) return poll('soon');
    cancelTimer = clock.schedule(nextMs(failures, documents.isConditional), () => poll('soon'));
  };

  return {
    get isUnused() {
      return members.size === 0;
    },
    add(registration) {
      members.set(registration.name, registration);
      poll('soon');
    },
    remove(name) {
      members.delete(name);
      if (members.size === 0) cancelTimer();
    },
    poll,
    async close() {
      closed = true;
      cancelTimer();
      running?.abort.abort(new Error('this server ends'));
      await running?.done;
    },
  };
}

function nextMs(failures: number, isConditional: boolean): number {
  if (failures > 0) {
    const { firstRetryMs, lastRetryMs } = pollTimes;
    return Math.min(firstRetryMs * 2 ** Math.min(failures - 1, 10), lastRetryMs);
  }
  return isConditional ? pollTimes.conditionalRefreshMs : pollTimes.refreshMs;
}

/** Logs a failure once until it changes, and its end. */
function failureLog(log: Logger) {
  let last: string | undefined;
  const namesOf = (registrations: readonly RemoteRegistration[]) =>
    registrations.map(({ name }) => name).join(' ');
  return {
    add(registrations: readonly RemoteRegistration[], error: unknown) {
      const err = error instanceof Error ? error.message : String(error);
      if (err === last) return;
      last = err;
      log.info('Discovery of API server failed', {
        apiServices: namesOf(registrations),
        err,
      });
    },
    end(registrations: readonly RemoteRegistration[]) {
      if (last === undefined) return;
      last = undefined;
      log.info('Discovery of API server recovered', { apiServices: namesOf(registrations) });
    },
  };
}
