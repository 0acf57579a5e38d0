import type { TLSSocket } from 'node:tls';
import { unlessAborted } from './abort.ts';
import {
  authorityOf,
  type Endpoint,
  type Exchange,
  type HeaderPairs,
  type PoolLimits,
  type WireBody,
  type WireRequest,
} from './exchange.ts';
import { Http1Connections } from './http1-connections.ts';
import { Http2Connection } from './http2-connection.ts';
import { ReadLane } from './read-lane.ts';
import { openSocket } from './tls-socket.ts';
import { TransportError, transportError } from './transport-error.ts';

/** A server may greet every new connection with a goodbye; after so many a request gives up. */
const GREETINGS_MAX = 3;
/**
 * Servers on nghttp2, Node's among them, take at most nine frames of 16 KiB for one head, and close the connection
 * with everything on it otherwise. A request with more goes over HTTP/1.1, which has no frames.
 */
const HTTP2_HEAD_BYTES_MAX = 128 * 1024;
/** At most so many bytes of a line are neither name nor value, in the encoding of HTTP/2. */
const LINE_OVERHEAD_BYTES = 8;

/** The connections to one server: HTTP/2 where it is offered, otherwise HTTP/1.1. */
export class Connections {
  readonly #endpoint: Endpoint;
  readonly #limits: PoolLimits;
  readonly #sessions = new Set<Http2Connection>();
  /** For everything, where the server has no HTTP/2. */
  #http1: Http1Connections | undefined;
  #forLargeHeads: Http1Connections | undefined;
  readonly #reads: ReadLane | undefined;
  #dialing: Promise<{ readonly stayed: boolean }> | undefined;
  #state: 'open' | 'retired' | 'closed' = 'open';

  constructor(endpoint: Endpoint, limits: PoolLimits) {
    this.#endpoint = endpoint;
    this.#limits = limits;
    // Nobody can offer HTTP/2 in clear text; whoever serves it that way is asked in HTTP/1.1.
    if (endpoint.tls === undefined) this.#http1 = new Http1Connections(endpoint, limits);
    const { readConnectionsMax = 0 } = limits;
    if (readConnectionsMax > 0) this.#reads = new ReadLane(endpoint, limits, readConnectionsMax);
  }

  open(request: WireRequest<WireBody>): Promise<Exchange> {
    // Nothing is dialled, and no kept connection taken, for somebody who has left.
    if (request.signal.aborted) return Promise.reject(request.signal.reason);
    const otherwise = () => this.#openNow(request) ?? this.#openSoon(request);
    return this.#reads === undefined ? otherwise() : this.#reads.open(request, otherwise);
  }

  /** Closes what nobody uses. */
  closeIdle(): void {
    for (const session of this.#sessions) if (session.isIdle) session.retire();
    this.#reads?.closeIdle();
    this.#http1?.closeIdle();
    this.#forLargeHeads?.closeIdle();
  }

  /** Closes each connection when its last request is done. Whoever holds on to it may still send. */
  retire(): void {
    if (this.#state === 'open') this.#state = 'retired';
    for (const session of this.#sessions) session.retire();
    this.#reads?.retire();
    this.#http1?.retire();
    this.#forLargeHeads?.retire();
  }

  /** Nothing is under way any more. */
  get isDone(): boolean {
    const kept = [this.#http1, this.#forLargeHeads, this.#reads];
    return this.#sessions.size === 0 && kept.every((http1) => http1?.isIdle !== false);
  }

  /** How many are open, by protocol. */
  get counts(): { readonly http1: number; readonly http2: number } {
    const kept = [this.#http1, this.#forLargeHeads, this.#reads];
    const http1 = kept.reduce((sum, one) => sum + (one?.size ?? 0), 0);
    return { http1, http2: this.#sessions.size };
  }

  /** Cuts everything. */
  destroy(): void {
    this.#state = 'closed';
    for (const session of this.#sessions) session.destroy();
    this.#reads?.destroy();
    this.#http1?.destroy();
    this.#forLargeHeads?.destroy();
  }

  #openNow(request: WireRequest<WireBody>): Promise<Exchange> | undefined {
    if (this.#http1 !== undefined) return this.#http1.open(request);
    for (const session of this.#sessions) {
      if (!session.isAvailable) continue;
      return isLarge(request.headers) ? this.#large().open(request) : session.open(request);
    }
    return undefined;
  }

  async #openSoon(request: WireRequest<WireBody>): Promise<Exchange> {
    let goodbyes = 0;
    while (goodbyes < GREETINGS_MAX) {
      const { stayed } = await this.#dialFor(request);
      const opened = this.#openNow(request);
      if (opened !== undefined) return opened;
      if (!stayed) goodbyes += 1;
    }
    throw this.#failure(request, 'ECONNRESET', 'the server closes every new connection');
  }

  #large(): Http1Connections {
    this.#forLargeHeads ??= new Http1Connections(this.#endpoint, this.#limits);
    if (this.#state === 'retired') this.#forLargeHeads.retire();
    return this.#forLargeHeads;
  }

  /** Requests that come together share one connection, so none of them may end the dialling of all. */
  async #dialFor(request: WireRequest<WireBody>): Promise<{ readonly stayed: boolean }> {
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
    const { connectTimeoutMs, handshakeTimeoutMs } = this.#limits;
    const socket = (await openSocket(this.#endpoint, {
      alpn: ['h2', 'http/1.1'],
      timeoutMs: connectTimeoutMs,
      handshakeTimeoutMs,
    })) as TLSSocket;
    if (this.#state === 'closed') {
      socket.destroy();
      return { stayed: false };
    }
    if (socket.alpnProtocol !== 'h2') {
      this.#http1 = new Http1Connections(this.#endpoint, this.#limits);
      this.#http1.adopt(socket);
      if (this.#state === 'retired') setImmediate(() => this.#http1?.retire());
      return { stayed: true };
    }
    const session = new Http2Connection(authorityOf(this.#endpoint), socket, this.#limits);
    this.#sessions.add(session);
    session.onClose(() => {
      this.#sessions.delete(session);
      if (!session.isLeft) this.#limits.onLost?.();
    });
    await session.whenKnown();
    // Those who waited for it send first.
    if (this.#state === 'retired') setImmediate(() => session.retire());
    return { stayed: session.isOpen };
  }

  #failure(request: WireRequest<WireBody>, code: string, problem: string): TransportError {
    return new TransportError(`${request.subject}: ${problem}`, {
      code,
      maybeProcessed: false,
      reusedConnection: false,
    });
  }
}

function isLarge(headers: HeaderPairs): boolean {
  let bytes = 0;
  for (const [name, value] of headers) bytes += name.length + value.length + LINE_OVERHEAD_BYTES;
  return bytes > HTTP2_HEAD_BYTES_MAX;
}
