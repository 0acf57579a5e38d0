/** Ready checks for `startProcess`, which repeats each until it succeeds or the deadline passes. */
import { connect } from 'node:net';
import { httpsRequest, type RequestOptions } from './https.ts';
import { assertListensOn } from './ports.ts';

export interface ReadyContext {
  log: string;
  pid: number;
  signal: AbortSignal;
}

/**
 * True when ready. False and an error both mean "not yet"; the last error is shown if the process never becomes
 * ready.
 */
export type ReadyCheck = (context: ReadyContext) => boolean | Promise<boolean>;

const ATTEMPT_TIMEOUT_MS = 5_000;

export function logShows(pattern: RegExp): ReadyCheck {
  return ({ log }) => log.search(pattern) !== -1;
}

/** A member of the process group accepts connections on a port of the loopback interface. */
export function acceptsConnections(port: number, host = '127.0.0.1'): ReadyCheck {
  return async ({ pid, signal }) => {
    await tryConnect({ port, host, signal });
    assertListensOn(pid, port);
    return true;
  };
}

/** A GET returns 200. */
export function respondsHttps(url: string, options: RequestOptions): ReadyCheck {
  return async ({ signal }) => {
    const attempt = AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]);
    const { status, body } = await httpsRequest(url, { ...options, signal: attempt });
    if (status !== 200) throw new Error(`GET ${url} returned ${status}: ${body.slice(0, 200)}`);
    return true;
  };
}

/** Every check, in order: `allOf(acceptsConnections(port), respondsHttps(…))`. */
export function allOf(...checks: readonly ReadyCheck[]): ReadyCheck {
  return async (context) => {
    for (const check of checks) {
      if (!(await check(context))) return false;
    }
    return true;
  };
}

async function tryConnect(target: {
  port: number;
  host: string;
  signal: AbortSignal;
}): Promise<void> {
  const { port, host, signal } = target;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({ port, host, timeout: ATTEMPT_TIMEOUT_MS });
  const abort = (): void => void socket.destroy(new Error('aborted'));
  signal.addEventListener('abort', abort, { once: true });
  socket.once('connect', resolve).once('error', reject);
  socket.once('timeout', () => socket.destroy(new Error(`no response from ${host}:${port}`)));
  try {
    await promise;
  } finally {
    signal.removeEventListener('abort', abort);
    socket.destroy();
  }
}
