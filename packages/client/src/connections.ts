import type { TLSSocket } from 'node:tls';
import { unlessAborted } from './abort.ts';
import type { ConnectionLimits, Endpoint, Exchange, WireRequest } from './exchange.ts';
import { Http1Connections } from './http1-connections.ts';
import { Http2Connection } from './http2-connection.ts';
import { openSocket } from './tls-socket.ts';
import { TransportError, transportError } from './transport-error.ts';

/** A server may greet every new connection with a goodbye; after so many a request gives up. */
const GREETINGS_MAX = 3;

/** The connections to one server: HTTP/2 where it is offered, otherwise HTTP/1.1. */
export class Connections {
  readonly #endpoint: Endpoint;
  readonly #limits: ConnectionLimits;
  readonly #sessions = new Set<Http2Connection>();
  #http1: Http1Connections | undefined;
  #dialing: Promise<{ readonly stayed: boolean }> | undefined;
  #closed = false;

  constructor(endpoint: Endpoint, limits: ConnectionLimits) {
    this.#endpoint = endpoint;
    this.#limits = limits;
    // Nobody can offer HTTP/2 in clear text; whoever serves it that way is asked in HTTP/1.1.
    if (endpoint.tls === undefined) this.#http1 = new Http1Connections(endpoint, limits);
  }

  async open(request: WireRequest): Promise<Exchange> {
    let goodbyes = 0;
    while (goodbyes < GREETINGS_MAX) {
      if (this.#http1 !== undefined) return this.#http1.open(request);
      const session = this.#sessions.values().find(({ isAvailable }) => isAvailable);
      if (session !== undefined) return session.open(request);
      const { stayed } = await this.#dialFor(request);
      if (!stayed) goodbyes += 1;
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
  async #dialFor(request: WireRequest): Promise<{ readonly stayed: boolean }> {
    const open = this.#sessions.values().filter(({ isOpen }) => isOpen);
    if (open.toArray().length >= this.#limits.connectionsMax) {
      const problem = `all ${this.#limits.connectionsMax} connections are full of requests`;
      throw this.#failure(request, 'EMFILE', problem);
    }
    this.#dialing ??= this.#dial().finally(() => {
      this.#dialing = undefined;
    });
    try {
      return await unlessAborted(this.#dialing, request.signal);
    } catch (error) {
      request.signal.throwIfAborted();
      throw transportError(request.subject, error, {
        maybeProcessed: false,
        reusedConnection: false,
      });
    }
  }

  async #dial(): Promise<{ readonly stayed: boolean }> {
    const { connectTimeoutMs } = this.#limits;
    const socket = (await openSocket(this.#endpoint, {
      alpn: ['h2', 'http/1.1'],
      timeoutMs: connectTimeoutMs,
    })) as TLSSocket;
    if (this.#closed) {
      socket.destroy();
      return { stayed: false };
    }
    if (socket.alpnProtocol !== 'h2') {
      this.#http1 = new Http1Connections(this.#endpoint, this.#limits);
      this.#http1.adopt(socket);
      return { stayed: true };
    }
    const session = new Http2Connection(this.#endpoint.origin, socket, this.#limits);
    this.#sessions.add(session);
    session.onClose(() => this.#sessions.delete(session));
    await session.whenKnown();
    return { stayed: session.isOpen };
  }

  #failure(request: WireRequest, code: string, problem: string): TransportError {
    return new TransportError(`${request.subject}: ${problem}`, {
      code,
      maybeProcessed: false,
      reusedConnection: false,
    });
  }
}
