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
  ask(how: 'soon' | 'anew'): void;
  close(): Promise<void>;
}

export function serverPoller(options: ServerDocumentsOptions): ServerPoller {
  const { clock, log } = options;
  const members = new Map<string, RemoteRegistration>();
  const documents = serverDocuments({
    ...options,
    // Who has left meanwhile has another server to listen to.
    hear: (name, finding) => {
      if (members.has(name)) options.hear(name, finding);
    },
  });
  const complaints = complaintsTo(log);
  let failures = 0;
  let running: { readonly giveUp: AbortController; readonly done: Promise<void> } | undefined;
  let again = false;
  let closed = false;
  let cancelTimer = () => {};

  const ask = (how: 'soon' | 'anew') => {
    if (closed || members.size === 0) return;
    if (how === 'anew') failures = 0; // one more failure is the first of a new row
    if (running !== undefined) {
      again = true;
      if (how === 'anew') running.giveUp.abort(new Error('it is asked anew'));
      return;
    }
    cancelTimer();
    const giveUp = new AbortController();
    running = { giveUp, done: run(giveUp.signal) };
  };

  /** Never rejects. */
  const run = async (signal: AbortSignal) => {
    await Promise.resolve(); // registrations that come together are asked for together
    again = false;
    const asked = [...members.values()];
    try {
      await documents.ask(asked, signal);
      failures = 0;
      complaints.end(asked);
    } catch (error) {
      if (!signal.aborted) {
        failures += 1;
        complaints.add(asked, error);
      }
    }
    running = undefined;
    if (closed) return;
    if (again) return ask('soon');
    cancelTimer = clock.schedule(nextMs(failures, documents.isConditional), () => ask('soon'));
  };

  return {
    get isUnused() {
      return members.size === 0;
    },
    add(registration) {
      members.set(registration.name, registration);
      ask('soon');
    },
    remove(name) {
      members.delete(name);
      if (members.size === 0) cancelTimer();
    },
    ask,
    async close() {
      closed = true;
      cancelTimer();
      running?.giveUp.abort(new Error('this server ends'));
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
function complaintsTo(log: Logger) {
  let last: string | undefined;
  const namesOf = (asked: readonly RemoteRegistration[]) => asked.map(({ name }) => name).join(' ');
  return {
    add(asked: readonly RemoteRegistration[], error: unknown) {
      const err = error instanceof Error ? error.message : String(error);
      if (err === last) return;
      last = err;
      log.info('A server does not tell what it serves', { apiServices: namesOf(asked), err });
    },
    end(asked: readonly RemoteRegistration[]) {
      if (last === undefined) return;
      last = undefined;
      log.info('A server tells again what it serves', { apiServices: namesOf(asked) });
    },
  };
}
