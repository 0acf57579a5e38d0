import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
} from 'node:http2';
import type { Socket } from 'node:net';
import {
  type ConnectionLimits,
  type Exchange,
  headerPairs,
  outgoingHeaders,
  type WireRequest,
} from './exchange.ts';
import { streamChunks } from './stream-chunks.ts';
import { TransportError, transportError } from './transport-error.ts';

/** How much of one answer may be on its way before it is read, and of all answers together. */
const STREAM_WINDOW_BYTES = 1024 * 1024;
const SESSION_WINDOW_BYTES = 16 * STREAM_WINDOW_BYTES;
const SESSION_MEMORY_MB = 256;

/** One connection that carries many requests at once. */
export class Http2Connection {
  readonly #session: ClientHttp2Session;
  readonly #limits: ConnectionLimits;
  #streams = 0;
  #served = 0;
  #draining = false;
  #idleTimer: NodeJS.Timeout | undefined;
  #pingTimer: NodeJS.Timeout | undefined;

  constructor(origin: string, socket: Socket, limits: ConnectionLimits) {
    this.#limits = limits;
    this.#session = connect(origin, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: STREAM_WINDOW_BYTES },
      maxSessionMemory: SESSION_MEMORY_MB,
    });
    this.#session.once('connect', () => this.#session.setLocalWindowSize(SESSION_WINDOW_BYTES));
    // The server wants to go, or wants us to spread over its siblings. Requests under way go on.
    this.#session.on('goaway', () => {
      this.#draining = true;
    });
    this.#session.on('error', () => {}); // Every request on it gets the error, too.
    this.#session.once('close', () => this.#stopTimers());
    this.#rest();
  }

  /** Whether it takes another request. */
  get isAvailable(): boolean {
    const { maxConcurrentStreams } = this.#session.remoteSettings ?? {};
    // Without a number, or before it is known, the server has set no limit.
    return this.isOpen && this.#streams < (maxConcurrentStreams ?? Number.POSITIVE_INFINITY);
  }

  get isOpen(): boolean {
    return !this.#draining && !this.#session.closed && !this.#session.destroyed;
  }

  /**
   * When the server has said how many requests it takes at once, or has gone. A watch that is sent in excess would
   * wait for another one to end.
   */
  whenKnown(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#session.destroy(), this.#limits.connectTimeoutMs);
      const settle = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.#session.once('remoteSettings', settle).once('close', settle);
    });
  }

  onClose(run: () => void): void {
    this.#session.once('close', run);
  }

  async open(request: WireRequest): Promise<Exchange> {
    request.signal.throwIfAborted();
    const reusedConnection = this.#served > 0;
    const stream = this.#send(request);
    try {
      const { status, rawHeaders } = await responseHead(stream);
      return {
        status,
        rawHeaders,
        httpVersion: '2',
        body: readBody(stream, request),
        cancel: () => stream.close(constants.NGHTTP2_CANCEL),
      };
    } catch (error) {
      request.signal.throwIfAborted();
      throw transportError(request.subject, error, {
        maybeProcessed: stream.id !== undefined && !isRefused(stream),
        reusedConnection,
      });
    }
  }

  /** Requests under way may finish. */
  retire(): void {
    this.#draining = true;
    if (!this.#session.destroyed) this.#session.close();
  }

  destroy(): void {
    this.#session.destroy();
  }

  #send(request: WireRequest): ClientHttp2Stream {
    const { signal, subject, body } = request;
    const headers = {
      ...outgoingHeaders(request.headers),
      ':method': request.method,
      ':path': request.path,
      ...(body !== undefined && { 'content-length': String(body.length) }),
    };
    let stream: ClientHttp2Stream;
    try {
      stream = this.#session.request(headers, { endStream: body === undefined });
    } catch (error) {
      // The session went away between being chosen and being used.
      throw transportError(subject, error, { maybeProcessed: false, reusedConnection: true });
    }
    this.#begin();
    const abort = (): void => stream.close(constants.NGHTTP2_CANCEL);
    signal.addEventListener('abort', abort, { once: true });
    stream.on('error', () => {}); // Who waits for the head or reads the body gets it, too.
    stream.once('close', () => {
      signal.removeEventListener('abort', abort);
      this.#end();
    });
    if (body !== undefined) stream.end(body);
    return stream;
  }

  #begin(): void {
    this.#streams += 1;
    this.#served += 1;
    if (this.#streams > 1) return;
    clearTimeout(this.#idleTimer);
    this.#session.ref();
    this.#schedulePing();
  }

  #end(): void {
    this.#streams -= 1;
    if (this.#streams === 0) this.#rest();
  }

  /** An idle connection keeps no process alive, and does not stay for ever. */
  #rest(): void {
    clearTimeout(this.#pingTimer);
    if (this.#session.destroyed) return;
    this.#session.unref();
    this.#idleTimer = setTimeout(() => this.retire(), this.#limits.idleTimeoutMs).unref();
  }

  /** A watch may be silent for minutes; only a ping tells a silent server from a dead one. */
  #schedulePing(): void {
    this.#pingTimer = setTimeout(() => this.#ping(), this.#limits.pingIntervalMs).unref();
  }

  #ping(): void {
    const { pingTimeoutMs } = this.#limits;
    const give = setTimeout(() => {
      const error = new Error(`the connection is dead: no answer to a ping in ${pingTimeoutMs} ms`);
      this.#session.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
    }, pingTimeoutMs).unref();
    const sent = this.#session.ping(() => clearTimeout(give));
    if (!sent) clearTimeout(give);
    this.#schedulePing();
  }

  #stopTimers(): void {
    clearTimeout(this.#idleTimer);
    clearTimeout(this.#pingTimer);
  }
}

function responseHead(
  stream: ClientHttp2Stream,
): Promise<{ status: number; rawHeaders: [string, string][] }> {
  return new Promise((resolve, reject) => {
    stream.once(
      'response',
      (headers: IncomingHttpHeaders, _flags: number, flat?: readonly string[]) =>
        resolve({
          status: Number(headers[constants.HTTP2_HEADER_STATUS]),
          rawHeaders: headerPairs(flat ?? []),
        }),
    );
    stream.once('error', reject);
    stream.once('close', () => reject(closedEarly('before an answer came')));
  });
}

async function* readBody(
  stream: ClientHttp2Stream,
  { signal, subject }: WireRequest,
): AsyncGenerator<Uint8Array> {
  const cut = { maybeProcessed: true, reusedConnection: false };
  try {
    yield* streamChunks(stream);
  } catch (error) {
    signal.throwIfAborted();
    throw transportError(`${subject}: the answer was cut short`, error, cut);
  }
  signal.throwIfAborted();
  // A connection that breaks looks to a reader of Node's stream like the end of the answer.
  if (stream.readableEnded && (stream.rstCode ?? 0) === constants.NGHTTP2_NO_ERROR) return;
  throw new TransportError(`${subject}: the answer was cut short`, { code: 'ECONNRESET', ...cut });
}

function closedEarly(when: string): Error {
  return Object.assign(new Error(`the connection was closed ${when}`), { code: 'ECONNRESET' });
}

function isRefused(stream: ClientHttp2Stream): boolean {
  return stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
}
