import { Agent, request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  authorityOf,
  type Endpoint,
  type Exchange,
  type PoolLimits,
  type WireBody,
  type WireRequest,
} from './exchange.ts';
import { exchangeOver, requestOptions } from './http1-exchange.ts';
import { openSocket } from './tls-socket.ts';

/** As of our own server, for the lines of the answer together. */
const HEADER_BYTES_MAX = 1024 * 1024;

/** Kept connections of HTTP/1.1, one request at a time on each. Requests beyond the limit wait for a free one. */
export class Http1Connections {
  readonly #agent: SocketAgent;
  readonly #limits: PoolLimits;
  readonly #authority: string;

  constructor(endpoint: Endpoint, limits: PoolLimits) {
    this.#agent = new SocketAgent(endpoint, limits);
    this.#limits = limits;
    this.#authority = authorityOf(endpoint);
  }

  /** A socket that was opened before the protocol was known. */
  adopt(socket: Socket): void {
    this.#agent.adopt(socket);
  }

  open(request: WireRequest<WireBody>): Promise<Exchange> {
    const { signal } = request;
    if (signal.aborted) return Promise.reject(signal.reason);
    this.#agent.maxSockets = this.#limits.connectionsMax;
    const outgoing = httpRequest({
      ...requestOptions(request, this.#authority),
      agent: this.#agent,
      maxHeaderSize: HEADER_BYTES_MAX,
    });
    return exchangeOver(outgoing, request);
  }

  get isIdle(): boolean {
    return Object.keys(this.#agent.sockets).length === 0;
  }

  get size(): number {
    return this.#agent.size;
  }

  /** Closes what nobody uses. */
  closeIdle(): void {
    this.#agent.closeIdle();
  }

  /** Requests under way may finish; nothing is kept afterwards. */
  retire(): void {
    this.#agent.maxFreeSockets = 0;
    this.#agent.closeIdle();
  }

  destroy(): void {
    this.#agent.closeIdle();
    this.#agent.destroy();
  }
}

/** An agent over our own sockets, which know about authorities, names and deadlines. */
class SocketAgent extends Agent {
  readonly #endpoint: Endpoint;
  readonly #limits: PoolLimits;
  #adopted: Socket | undefined;

  constructor(endpoint: Endpoint, limits: PoolLimits) {
    super({ keepAlive: true, maxSockets: limits.connectionsMax, timeout: limits.idleTimeoutMs });
    this.#endpoint = endpoint;
    this.#limits = limits;
  }

  get size(): number {
    const lists = [...Object.values(this.sockets), ...Object.values(this.freeSockets)];
    const kept = lists.reduce((sum, sockets) => sum + (sockets?.length ?? 0), 0);
    return kept + (this.#adopted === undefined ? 0 : 1);
  }

  adopt(socket: Socket): void {
    this.#adopted = socket;
    const forget = (): void => {
      if (this.#adopted === socket) this.#adopted = undefined;
    };
    // Only until a request takes it; from then on the agent looks after it.
    socket.once('close', forget).once('error', forget);
  }

  override createConnection(
    _options: object,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | undefined {
    const socket = this.#adopted;
    this.#adopted = undefined;
    if (socket !== undefined && !socket.destroyed) return socket;
    const { connectTimeoutMs, handshakeTimeoutMs } = this.#limits;
    openSocket(this.#endpoint, {
      alpn: ['http/1.1'],
      timeoutMs: connectTimeoutMs,
      handshakeTimeoutMs,
    }).then(
      (opened) => callback?.(null, opened),
      (error) => callback?.(error, undefined as never),
    );
    return undefined;
  }

  closeIdle(): void {
    this.#adopted?.destroy();
    for (const sockets of Object.values(this.freeSockets)) {
      for (const socket of sockets ?? []) socket.destroy();
    }
  }
}
