import type { Logger } from '@tributary/server';
import type { RemoteRegistration } from '../api-services/registration.ts';
import { type ServerDocumentsOptions, serverDocuments } from './server-documents.ts';

/** How often servers are asked. */
export const pollTimes = {
  /** As upstream. */
  refreshMs: 60_000,
  /** Where asking costs next to nothing. */
  conditionalRefreshMs: 10_000,
  firstRetryMs: 500,
  lastRetryMs: 60_000,
} as const;

/** Decides when one server is asked what it serves, for all of its registrations: one exchange at a time. */
export interface ServerPoller {
  readonly isUnused: boolean;
  /** Also in place of an older one of that name. */
  add(registration: RemoteRegistration): void;
  remove(name: string): void;
  /** `anew`: what is under way is given up first, because it may hang. */
  poll(how: 'soon' | 'anew'): void;
  close(): Promise<void>;
}

export function serverPoller(options: ServerDocumentsOptions): ServerPoller {
  const { clock, log } = options;
  const members = new Map<string, RemoteRegistration>();
  const documents = serverDocuments({
    ...options,
    // Who has left meanwhile has another server to listen to.
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
    if (how === 'anew') failures = 0; // one more failure is the first of a new row
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
    await Promise.resolve(); // registrations that come together are asked for together
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

/** One line when something else is wrong than before, and one when nothing is any more. */
function failureLog(log: Logger) {
  let last: string | undefined;
  const namesOf = (registrations: readonly RemoteRegistration[]) =>
    registrations.map(({ name }) => name).join(' ');
  return {
    add(registrations: readonly RemoteRegistration[], error: unknown) {
      const err = error instanceof Error ? error.message : String(error);
      if (err === last) return;
      last = err;
      log.info('A server does not tell what it serves', {
        apiServices: namesOf(registrations),
        err,
      });
    },
    end(registrations: readonly RemoteRegistration[]) {
      if (last === undefined) return;
      last = undefined;
      log.info('A server tells again what it serves', { apiServices: namesOf(registrations) });
    },
  };
}
