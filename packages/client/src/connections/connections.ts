import { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import {
  authorityOf,
  type Endpoint,
  type Exchange,
  type HttpRequest,
  type PoolLimits,
  type RequestBody,
} from '../http/exchange.ts';
import { openSocket } from '../http/tls-socket.ts';
import { errorCode, TransportError, transportError } from '../http/transport-error.ts';
import { Http1Connections } from '../http1/http1-connections.ts';
import { unlessAborted } from '../timing/abort.ts';
import { Http2Connection } from './http2-connection.ts';

/** A server may end every new connection with GOAWAY; after so many a request fails. */
const GOAWAYS_MAX = 3;
/**
 * Servers on nghttp2, Node's among them, accept no name or value above 64 KiB and nine frames of 16 KiB for one head,
 * and otherwise close the connection with every request on it. A larger head has a connection of its own.
 */
const SHARED_HEAD_BYTES_MAX = 60 * 1024;
/** RFC 9113, 6.5.2: the size of a header list. */
const HEADER_OVERHEAD_BYTES = 32;
/** Method, scheme and authority, with the name of the path. */
const PSEUDO_HEADERS_BYTES = 512;
/** The server supports none of the offered protocols. */
const NO_PROTOCOL = /NO_APPLICATION_PROTOCOL/;
/** The code of a failure because of the size of the request's head. */
export const HEAD_TOO_LARGE = 'ERR_REQUEST_HEAD_TOO_LARGE';

/** The connections to one server: HTTP/2 where it is offered, otherwise HTTP/1.1. */
export class Connections {
  readonly #endpoint: Endpoint;
  readonly #limits: PoolLimits;
  readonly #sessions = new Set<Http2Connection>();
  /** For all requests, where the server has no HTTP/2. */
  #http1: Http1Connections | undefined;
  /** Connections of HTTP/1.1 for large heads; undefined where the server has no HTTP/1.1. */
  #forLargeHeads: Http1Connections | undefined;
  #findingLarge: Promise<Http1Connections | undefined> | undefined;
  /** Sessions of HTTP/2 that carry one request with a large head each. */
  readonly #alone = new Set<Http2Connection>();
  #dialing: Promise<{ readonly isOpen: boolean }> | undefined;
  #state: 'open' | 'retired' | 'closed' = 'open';

  constructor(endpoint: Endpoint, limits: PoolLimits) {
    this.#endpoint = endpoint;
    this.#limits = limits;
    // HTTP/2 is negotiated by TLS, so clear text is HTTP/1.1.
    if (endpoint.tls === undefined) this.#http1 = new Http1Connections(endpoint, limits);
  }

  open(request: HttpRequest<RequestBody>): Promise<Exchange> {
    // An aborted request dials nothing and takes no idle connection.
    if (request.signal.aborted) return Promise.reject(request.signal.reason);
    return this.#openNow(request) ?? this.#openSoon(request);
  }

  /** Closes idle connections. */
  closeIdle(): void {
    for (const session of this.#sessions) if (session.isIdle) session.retire();
    this.#http1?.closeIdle();
    this.#forLargeHeads?.closeIdle();
  }

  /** Closes each connection when its last request is done. A caller with a reference may still send. */
  retire(): void {
    if (this.#state === 'open') this.#state = 'retired';
    for (const session of [...this.#sessions, ...this.#alone]) session.retire();
    this.#http1?.retire();
    this.#forLargeHeads?.retire();
  }

  /** Whether no request is under way. */
  get isDone(): boolean {
    const pools = [this.#http1, this.#forLargeHeads];
    const sessions = this.#sessions.size + this.#alone.size;
    return sessions === 0 && pools.every((http1) => http1?.isIdle !== false);
  }

  /** The number of open connections, by protocol. */
  get counts(): { readonly http1: number; readonly http2: number } {
    const pools = [this.#http1, this.#forLargeHeads];
    const http1 = pools.reduce((sum, one) => sum + (one?.size ?? 0), 0);
    return { http1, http2: this.#sessions.size + this.#alone.size };
  }

  /** Ends all connections and requests. */
  destroy(): void {
    this.#state = 'closed';
    for (const session of [...this.#sessions, ...this.#alone]) session.destroy();
    this.#http1?.destroy();
    this.#forLargeHeads?.destroy();
  }

  #openNow(request: HttpRequest<RequestBody>): Promise<Exchange> | undefined {
    if (this.#http1 !== undefined) return this.#http1.open(request);
    for (const session of this.#sessions) {
      if (!session.isAvailable) continue;
      return isLarge(request, session.headBytesMax)
        ? this.#openLarge(request)
        : session.open(request);
    }
    return undefined;
  }

  async #openSoon(request: HttpRequest<RequestBody>): Promise<Exchange> {
    let goaways = 0;
    while (goaways < GOAWAYS_MAX) {
      const { isOpen } = await this.#dialFor(request);
      const opened = this.#openNow(request);
      if (opened !== undefined) return opened;
      if (!isOpen) goaways += 1;
    }
    throw this.#failure(request, 'ECONNRESET', 'the server closes every new connection');
  }

  /** Shares no connection with other requests: a server may end the connection of a large head. */
  async #openLarge(request: HttpRequest<RequestBody>): Promise<Exchange> {
    this.#findingLarge ??= this.#findLarge().catch((error) => {
      this.#findingLarge = undefined;
      throw error;
    });
    const http1 = await this.#dialled(request, this.#findingLarge);
    if (http1 === undefined) return this.#openAlone(request);
    const exchange = await http1.open(request);
    // Many servers accept less over HTTP/1.1 than over HTTP/2.
    if (exchange.status !== 431 || request.body instanceof Readable) return exchange;
    exchange.cancel();
    return this.#openAlone(request);
  }

  /** HTTP/1.1 has no frames and no shared state, where the server speaks it. */
  async #findLarge(): Promise<Http1Connections | undefined> {
    const { connectTimeoutMs: timeoutMs, handshakeTimeoutMs } = this.#limits;
    const options = { alpn: ['http/1.1'], timeoutMs, handshakeTimeoutMs };
    const socket = await openSocket(this.#endpoint, options).catch((error: unknown) => {
      if (NO_PROTOCOL.test(errorCode(error))) return undefined;
      throw error;
    });
    if (socket === undefined) return undefined;
    const http1 = new Http1Connections(this.#endpoint, this.#limits);
    this.#forLargeHeads = http1;
    if (this.#state === 'closed') socket.destroy();
    else http1.adopt(socket);
    if (this.#state === 'retired') setImmediate(() => http1.retire());
    return http1;
  }

  async #openAlone(request: HttpRequest<RequestBody>): Promise<Exchange> {
    this.#requirePlace(request, this.#alone.size);
    const session = await this.#dialled(request, this.#dialHttp2(this.#alone));
    if (session === undefined) {
      throw this.#failure(request, 'ECONNRESET', 'the server no longer speaks HTTP/2');
    }
    try {
      return await session.open(request);
    } catch (error) {
      if (request.signal.aborted || !session.isRefused) throw error;
      const problem = 'the server does not take a request with a head of this size';
      throw this.#failure(request, HEAD_TOO_LARGE, problem);
    } finally {
      session.retire(); // it ends with this exchange
    }
  }

  /** Concurrent requests share one connection, so none of them may end the dialling of all. */
  async #dialFor(request: HttpRequest<RequestBody>): Promise<{ readonly isOpen: boolean }> {
    const open = this.#sessions.values().filter(({ isOpen }) => isOpen);
    this.#requirePlace(request, open.toArray().length);
    this.#dialing ??= this.#dial().finally(() => {
      this.#dialing = undefined;
    });
    return this.#dialled(request, this.#dialing);
  }

  #requirePlace(request: HttpRequest<RequestBody>, open: number): void {
    const { connectionsMax } = this.#limits;
    if (open < connectionsMax) return;
    const problem = `all ${connectionsMax} connections are full of requests`;
    throw this.#failure(request, 'EMFILE', problem);
  }

  async #dialled<T>(request: HttpRequest<RequestBody>, dialing: Promise<T>): Promise<T> {
    try {
      return await unlessAborted(dialing, request.signal);
    } catch (error) {
      request.signal.throwIfAborted();
      throw transportError(request.subject, error, {
        maybeProcessed: false,
        reusedConnection: false,
      });
    }
  }

  async #dial(): Promise<{ readonly isOpen: boolean }> {
    const session = await this.#dialHttp2(this.#sessions);
    if (session === undefined) return { isOpen: this.#http1 !== undefined };
    // Requests that waited for it are sent first.
    if (this.#state === 'retired') setImmediate(() => session.retire());
    return { isOpen: session.isOpen };
  }

  /** Undefined when the server has HTTP/1.1, or everything was closed meanwhile. */
  async #dialHttp2(sessions: Set<Http2Connection>): Promise<Http2Connection | undefined> {
    const { connectTimeoutMs: timeoutMs, handshakeTimeoutMs } = this.#limits;
    const alpn = ['h2', 'http/1.1'];
    const options = { alpn, timeoutMs, handshakeTimeoutMs };
    const socket = (await openSocket(this.#endpoint, options)) as TLSSocket;
    if (this.#state === 'closed') {
      socket.destroy();
      return undefined;
    }
    if (socket.alpnProtocol !== 'h2') {
      this.#http1 ??= new Http1Connections(this.#endpoint, this.#limits);
      this.#http1.adopt(socket);
      if (this.#state === 'retired') setImmediate(() => this.#http1?.retire());
      return undefined;
    }
    const session = new Http2Connection(authorityOf(this.#endpoint), socket, this.#limits);
    sessions.add(session);
    session.onClose(() => {
      sessions.delete(session);
      // Another server may have this address from now on.
      if (this.#forLargeHeads === undefined) this.#findingLarge = undefined;
      if (!session.isRetired && sessions === this.#sessions) this.#limits.onLost?.();
    });
    await session.whenReady();
    return session;
  }

  #failure(request: HttpRequest<RequestBody>, code: string, problem: string): TransportError {
    return new TransportError(`${request.subject}: ${problem}`, {
      code,
      maybeProcessed: false,
      reusedConnection: false,
    });
  }
}

function isLarge({ path, headers }: HttpRequest<RequestBody>, bytesMax: number): boolean {
  let bytes = path.length + PSEUDO_HEADERS_BYTES;
  for (const [name, value] of headers) bytes += name.length + value.length + HEADER_OVERHEAD_BYTES;
  return bytes > Math.min(bytesMax, SHARED_HEAD_BYTES_MAX);
}
