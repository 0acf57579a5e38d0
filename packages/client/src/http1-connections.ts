import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  type ConnectionLimits,
  type Endpoint,
  type Exchange,
  headerPairs,
  outgoingHeaders,
  type WireRequest,
} from './exchange.ts';
import { openSocket } from './tls-socket.ts';
import { transportError } from './transport-error.ts';

/** Kept connections of HTTP/1.1, one request at a time on each. Requests beyond the limit wait for a free one. */
export class Http1Connections {
  readonly #agent: SocketAgent;

  constructor(endpoint: Endpoint, limits: ConnectionLimits) {
    this.#agent = new SocketAgent(endpoint, limits);
  }

  /** A socket that was opened before the protocol was known. */
  adopt(socket: Socket): void {
    this.#agent.adopt(socket);
  }

  async open(request: WireRequest): Promise<Exchange> {
    request.signal.throwIfAborted();
    const outgoing = httpRequest({
      agent: this.#agent,
      method: request.method,
      path: request.path,
      headers: {
        ...outgoingHeaders(request.headers),
        host: this.#agent.host,
        ...(request.body !== undefined && { 'content-length': String(request.body.length) }),
      },
    });
    const abort = (): void => void outgoing.destroy(new Error('given up'));
    request.signal.addEventListener('abort', abort, { once: true });
    outgoing.once('close', () => request.signal.removeEventListener('abort', abort));
    outgoing.end(request.body);
    try {
      const incoming = await response(outgoing);
      return {
        status: incoming.statusCode ?? 0,
        rawHeaders: headerPairs(incoming.rawHeaders),
        httpVersion: '1.1',
        body: readBody(incoming, request),
        cancel: () => void outgoing.destroy(),
      };
    } catch (error) {
      request.signal.throwIfAborted();
      throw transportError(request.subject, error, {
        maybeProcessed: outgoing.socket?.connecting === false,
        reusedConnection: outgoing.reusedSocket,
      });
    }
  }

  get isIdle(): boolean {
    return Object.keys(this.#agent.sockets).length === 0;
  }

  /** Requests under way may finish; nothing is kept afterwards. */
  retire(): void {
    this.#agent.retire();
  }

  destroy(): void {
    this.#agent.destroy();
  }
}

function response(outgoing: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once('response', resolve);
    // Stays for the life of the request: what breaks later is reported by the body as well.
    outgoing.on('error', reject);
  });
}

async function* readBody(
  incoming: IncomingMessage,
  { signal, subject }: WireRequest,
): AsyncGenerator<Uint8Array> {
  try {
    yield* incoming;
  } catch (error) {
    signal.throwIfAborted();
    throw transportError(`${subject}: the answer was cut short`, error, {
      maybeProcessed: true,
      reusedConnection: false,
    });
  }
  signal.throwIfAborted();
}

/** An agent over our own sockets, which know about authorities, names and deadlines. */
class SocketAgent extends Agent {
  readonly #endpoint: Endpoint;
  readonly #limits: ConnectionLimits;
  #adopted: Socket | undefined;

  constructor(endpoint: Endpoint, limits: ConnectionLimits) {
    super({ keepAlive: true, maxSockets: limits.connectionsMax, timeout: limits.idleTimeoutMs });
    this.#endpoint = endpoint;
    this.#limits = limits;
  }

  get host(): string {
    return new URL(this.#endpoint.origin).host;
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
    const { connectTimeoutMs } = this.#limits;
    openSocket(this.#endpoint, { alpn: ['http/1.1'], timeoutMs: connectTimeoutMs }).then(
      (opened) => callback?.(null, opened),
      (error) => callback?.(error, undefined as never),
    );
    return undefined;
  }

  retire(): void {
    this.maxFreeSockets = 0;
    for (const sockets of Object.values(this.freeSockets)) {
      for (const socket of sockets ?? []) socket.destroy();
    }
  }
}
