import type { Agent } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  authorityOf,
  type Endpoint,
  type Exchange,
  type HttpRequest,
  type PoolLimits,
  type RequestBody,
} from '../http/exchange.ts';
import { openSocket } from '../http/tls-socket.ts';
import { exchangeOver, requestOptions } from './http1-exchange.ts';
import { nodeHttp } from './node-http.ts';

/** As in our own server, for all headers of a response. */
const HEADER_BYTES_MAX = 1024 * 1024;

/**
 * Idle and busy connections of HTTP/1.1, one request at a time on each. Requests beyond the limit wait for a free one.
 */
export class Http1Connections {
  readonly #sockets: AgentSockets;
  readonly #limits: PoolLimits;
  readonly #authority: string;

  constructor(endpoint: Endpoint, limits: PoolLimits) {
    this.#sockets = new AgentSockets(endpoint, limits);
    this.#limits = limits;
    this.#authority = authorityOf(endpoint);
  }

  /** A socket that was opened before the protocol was known. */
  adopt(socket: Socket): void {
    this.#sockets.adopt(socket);
  }

  async open(request: HttpRequest<RequestBody>): Promise<Exchange> {
    const { agent } = this.#sockets;
    // Bytes that have arrived on an idle connection are read first, and close it: they would be taken for the response
    // to this request.
    if (hasAny(agent.freeSockets)) await nextPoll();
    request.signal.throwIfAborted();
    agent.maxSockets = this.#limits.connectionsMax;
    const outgoing = nodeHttp().request({
      ...requestOptions(request, this.#authority),
      agent,
      maxHeaderSize: HEADER_BYTES_MAX,
    });
    return exchangeOver(outgoing, request);
  }

  get isIdle(): boolean {
    return Object.keys(this.#sockets.agent.sockets).length === 0;
  }

  get size(): number {
    return this.#sockets.size;
  }

  /** Closes idle connections. */
  closeIdle(): void {
    this.#sockets.closeIdle();
  }

  /** Requests under way may finish; their connections are closed afterwards. */
  retire(): void {
    this.#sockets.agent.maxFreeSockets = 0;
    this.#sockets.closeIdle();
  }

  destroy(): void {
    this.#sockets.closeIdle();
    this.#sockets.agent.destroy();
  }
}

/** Resolves when the event loop has read all bytes that had arrived: the current turn may have read already. */
async function nextPoll(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

function hasAny(sockets: object): boolean {
  for (const _ in sockets) return true;
  return false;
}

/** An agent over our own sockets, which handle authorities, names and deadlines. */
class AgentSockets {
  readonly agent: Agent;
  readonly #endpoint: Endpoint;
  readonly #limits: PoolLimits;
  #adopted: Socket | undefined;

  constructor(endpoint: Endpoint, limits: PoolLimits) {
    const { Agent } = nodeHttp();
    this.agent = new Agent({
      keepAlive: true,
      maxSockets: limits.connectionsMax,
      timeout: limits.idleTimeoutMs,
    });
    this.agent.createConnection = (_options, callback) => this.#connect(callback);
    this.#endpoint = endpoint;
    this.#limits = limits;
  }

  get size(): number {
    const { sockets, freeSockets } = this.agent;
    const lists = [...Object.values(sockets), ...Object.values(freeSockets)];
    const open = lists.reduce((sum, list) => sum + (list?.length ?? 0), 0);
    return open + (this.#adopted === undefined ? 0 : 1);
  }

  adopt(socket: Socket): void {
    this.#adopted = socket;
    const forget = (): void => {
      if (this.#adopted === socket) this.#adopted = undefined;
    };
    // Only until a request takes it; from then on the agent handles it.
    socket.once('close', forget).once('error', forget);
  }

  closeIdle(): void {
    this.#adopted?.destroy();
    for (const sockets of Object.values(this.agent.freeSockets)) {
      for (const socket of sockets ?? []) socket.destroy();
    }
  }

  #connect(callback?: (error: Error | null, stream: Duplex) => void): Duplex | undefined {
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
}
