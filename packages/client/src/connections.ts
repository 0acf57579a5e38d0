import type { TLSSocket } from 'node:tls';
import type { ConnectionLimits, Endpoint, Exchange, WireRequest } from './exchange.ts';
import { Http1Connections } from './http1-connections.ts';
import { Http2Connection } from './http2-connection.ts';
import { openSocket } from './tls-socket.ts';
import { TransportError, transportError } from './transport-error.ts';

/** A server may greet every new connection with a goodbye. */
const DIALS_PER_REQUEST_MAX = 3;

/** The connections to one server: HTTP/2 where it is offered, otherwise HTTP/1.1. */
export class Connections {
  readonly #endpoint: Endpoint;
  readonly #limits: ConnectionLimits;
  readonly #sessions = new Set<Http2Connection>();
  #http1: Http1Connections | undefined;
  #dialing: Promise<void> | undefined;
  #closed = false;

  constructor(endpoint: Endpoint, limits: ConnectionLimits) {
    this.#endpoint = endpoint;
    this.#limits = limits;
    // Nobody can offer HTTP/2 in clear text; whoever serves it that way is asked in HTTP/1.1.
    if (endpoint.tls === undefined) this.#http1 = new Http1Connections(endpoint, limits);
  }

  async open(request: WireRequest): Promise<Exchange> {
    for (let dials = 0; dials <= DIALS_PER_REQUEST_MAX; dials += 1) {
      if (this.#http1 !== undefined) return this.#http1.open(request);
      const session = this.#sessions.values().find(({ isAvailable }) => isAvailable);
      if (session !== undefined) return session.open(request);
      if (dials < DIALS_PER_REQUEST_MAX) await this.#dialFor(request);
    }
    throw this.#failure(request, 'ECONNRESET', 'the server closes every new connection');
  }

  /** Takes no more requests, and closes each connection when its last request is done. */
  retire(): void {
    for (const session of this.#sessions) session.retire();
    this.#http1?.retire();
  }

  /** Nothing is under way any more. */
  get isDone(): boolean {
    return this.#sessions.size === 0 && this.#http1?.isIdle !== false;
  }

  /** Cuts everything. */
  destroy(): void {
    this.#closed = true;
    for (const session of this.#sessions) session.destroy();
    this.#http1?.destroy();
  }

  /** Requests that come together share one connection, so none of them may end the dialling of all. */
  async #dialFor(request: WireRequest): Promise<void> {
    const open = this.#sessions.values().filter(({ isOpen }) => isOpen);
    if (open.toArray().length >= this.#limits.connectionsMax) {
      const problem = `all ${this.#limits.connectionsMax} connections are full of requests`;
      throw this.#failure(request, 'EMFILE', problem);
    }
    this.#dialing ??= this.#dial().finally(() => {
      this.#dialing = undefined;
    });
    try {
      await unlessAborted(this.#dialing, request.signal);
    } catch (error) {
      request.signal.throwIfAborted();
      throw transportError(request.subject, error, {
        maybeProcessed: false,
        reusedConnection: false,
      });
    }
  }

  async #dial(): Promise<void> {
    const socket = (await openSocket(this.#endpoint, {
      alpn: ['h2', 'http/1.1'],
      timeoutMs: this.#limits.connectTimeoutMs,
    })) as TLSSocket;
    if (this.#closed) {
      socket.destroy();
      return;
    }
    if (socket.alpnProtocol !== 'h2') {
      this.#http1 = new Http1Connections(this.#endpoint, this.#limits);
      this.#http1.adopt(socket);
      return;
    }
    const session = new Http2Connection(this.#endpoint.origin, socket, this.#limits);
    this.#sessions.add(session);
    session.onClose(() => this.#sessions.delete(session));
  }

  #failure(request: WireRequest, code: string, problem: string): TransportError {
    return new TransportError(`${request.subject}: ${problem}`, {
      code,
      maybeProcessed: false,
      reusedConnection: false,
    });
  }
}

async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
