import { AsyncLocalStorage } from 'node:async_hooks';

/** The connection to which asynchronous work belongs. */
export interface ConnectionOwner {
  /** For the log, such as `client 10.0.0.1:4711`. */
  readonly name: string;
  /** Ends the connection after an error that no handler caught; harmless when it is closed. */
  end(error: unknown): void;
}

const owners = new AsyncLocalStorage<ConnectionOwner>();

/** Runs a function whose handles, timers and promises belong to the connection. */
export function ownedBy<T>(owner: ConnectionOwner, run: () => T): T {
  return owners.run(owner, run);
}

/** For resources that serve many connections and are created while one of them is served, such as a thread. */
export function ownedByProcess<T>(run: () => T): T {
  return owners.exit(run);
}

/** Undefined for work that belongs to the process. */
export function connectionOwner(): ConnectionOwner | undefined {
  return owners.getStore();
}

/** Sockets and sessions are destroyed with errors only. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
