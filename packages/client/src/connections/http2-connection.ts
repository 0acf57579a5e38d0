import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import type { Socket } from 'node:net';
import { coalesceChunks } from '../bytes/coalesce-chunks.ts';
import { StreamChunks } from '../bytes/stream-chunks.ts';
import { asError, type ConnectionOwner, ownedBy } from '../http/connection-owner.ts';
import {
  type ConnectionLimits,
  type Exchange,
  type HttpRequest,
  hasHeader,
  headerList,
  type RequestBody,
} from '../http/exchange.ts';
import { interimResponses } from '../http/interim-responses.ts';
import { sendBody } from '../http/request-body.ts';
import { TransportError, transportError } from '../http/transport-error.ts';
import { type Clock, maintenanceClock } from '../timing/clock.ts';

/** The maximum of unread bytes of one response, and of all responses together. */
const STREAM_WINDOW_BYTES = 1024 * 1024;
const SESSION_WINDOW_BYTES = 16 * STREAM_WINDOW_BYTES;
const SESSION_MEMORY_MB = 256;
/** As in our own server; each pair counts for 32 bytes more than its length. */
const HEADER_PAIRS_MAX = 5000;
const HEADER_BYTES_MAX = 1024 * 1024 + 32 * HEADER_PAIRS_MAX;
const FRAME_BYTES_MAX = 256 * 1024;

const SESSION_OPTIONS = {
  settings: {
    enablePush: false,
    initialWindowSize: STREAM_WINDOW_BYTES,
    maxHeaderListSize: HEADER_BYTES_MAX,
    // nghttp2 accepts at most nine frames of headers: only larger frames let a server use the whole bound.
    maxFrameSize: FRAME_BYTES_MAX,
  },
  maxSessionMemory: SESSION_MEMORY_MB,
  maxHeaderListPairs: HEADER_PAIRS_MAX,
  maxSendHeaderBlockLength: HEADER_BYTES_MAX,
  // The server decides which headers may be repeated: a request is forwarded as it arrived.
  strictSingleValueFields: false,
};

/** One connection that carries many requests at once. */
export class Http2Connection {
  readonly #session: ClientHttp2Session;
  readonly #limits: ConnectionLimits;
  readonly #authority: string;
  #streams = 0;
  #served = 0;
  #draining = false;
  readonly #clock: Clock;
  #idleSinceMs: number;
  #problem: Error | undefined;
  readonly #onClose: (() => void)[] = [];
  #isLeft = false;
  /** The last request that the server has processed or may have, after GOAWAY. */
  #lastStreamId = Number.POSITIVE_INFINITY;
  #isRefused = false;
  #cancelTimer: (() => void) | undefined;
  #cancelPingTimeout: (() => void) | undefined;

  constructor(authority: string, socket: Socket, limits: ConnectionLimits) {
    this.#limits = limits;
    this.#clock = limits.maintenanceClock ?? maintenanceClock;
    this.#idleSinceMs = this.#clock.nowMs();
    this.#authority = authority;
    const owner: ConnectionOwner = {
      name: `server ${authority}`,
      end: (error) => this.#break(asError(error)),
    };
    this.#session = ownedBy(owner, () =>
      connect(`https://${authority}`, { ...SESSION_OPTIONS, createConnection: () => socket }),
    );
    this.#session.once('connect', () => {
      if (!this.#session.destroyed) this.#session.setLocalWindowSize(SESSION_WINDOW_BYTES);
    });
    // The server is closing the connection, or wants its clients to use other replicas. Requests under way go on.
    this.#session.on('goaway', (code: number, lastStreamId: number) => {
      this.#draining = true;
      this.#isRefused ||= code !== constants.NGHTTP2_NO_ERROR;
      this.#lastStreamId = Math.min(this.#lastStreamId, lastStreamId);
    });
    // Every request on it gets the error, too.
    this.#session.on('error', (error: Error) => {
      this.#problem ??= error;
    });
    this.#session.once('close', () => this.#close());
    // Node's session does not see an alert after the handshake, such as for an untrusted certificate, and is then not
    // closed by being destroyed.
    socket.once('error', (error: Error) => {
      this.#break(error);
      socket.destroy();
      this.#close();
    });
    // An idle connection does not keep the process alive.
    this.#session.unref();
    ownedBy(owner, () => this.#scheduleTimer());
  }

  /** Whether it accepts another request. */
  get isAvailable(): boolean {
    if (!this.isOpen) return false;
    const { maxConcurrentStreams } = this.#session.remoteSettings ?? {};
    // Without a number, or before it is known, the server has set no limit.
    return maxConcurrentStreams === undefined || this.#streams < maxConcurrentStreams;
  }

  get isOpen(): boolean {
    return !this.#draining && !this.#session.closed && !this.#session.destroyed;
  }

  /** The server ended it with an error code. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** The server's limit on the size of a head. */
  get headBytesMax(): number {
    return this.#session.remoteSettings?.maxHeaderListSize ?? Number.POSITIVE_INFINITY;
  }

  get isIdle(): boolean {
    return this.#streams === 0;
  }

  /**
   * Resolves when the server has announced its limit of concurrent requests, or has closed the connection. An excess
   * watch would wait for another one to end. Rejects when the connection broke or no settings arrived.
   */
  whenReady(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { connectTimeoutMs } = this.#limits;
    const timer = setTimeout(() => {
      const error = new Error(`no settings of HTTP/2 within ${connectTimeoutMs} ms`);
      this.#break(Object.assign(error, { code: 'ETIMEDOUT' }));
      this.#close();
    }, connectTimeoutMs);
    this.#session.once('remoteSettings', () => resolve());
    this.onClose(() => {
      if (this.#problem === undefined) resolve();
      else reject(this.#problem);
    });
    return promise.finally(() => clearTimeout(timer));
  }

  /** Whether this side ended it. */
  get isRetired(): boolean {
    return this.#isLeft;
  }

  onClose(run: () => void): void {
    this.#onClose.push(run);
  }

  open(request: HttpRequest<RequestBody>): Promise<Exchange> {
    const { signal, subject, body, onEnd, onInterim } = request;
    if (signal.aborted) return Promise.reject(signal.reason);
    const reusedConnection = this.#served > 0;
    let stream: ClientHttp2Stream;
    try {
      stream = this.#session.request(this.#head(request), { endStream: body === undefined });
    } catch (error) {
      // The session closed between being chosen and being used.
      const stage = { maybeProcessed: false, reusedConnection: true };
      return Promise.reject(transportError(subject, error, stage));
    }
    this.#begin();
    coalesceChunks(stream);
    return new Promise((resolve, reject) => {
      let failure: Error | undefined;
      let hasResponse = false;
      let trailers: readonly string[] = [];
      const cancel = (): void => cancelStream(stream);
      signal.addEventListener('abort', cancel);
      stream.on('error', (error: Error) => {
        failure ??= error;
      });
      stream.once('response', (headers, _flags, flat?: readonly string[]) => {
        hasResponse = true;
        resolve({
          status: Number(headers[constants.HTTP2_HEADER_STATUS]),
          rawHeaders: headerList(flat ?? []),
          httpVersion: '2',
          body: new StreamChunks({
            stream,
            problem: () => cutShort(stream, request, failure),
            cancel: cancel,
          }),
          trailers: () => headerList(trailers),
          cancel,
        });
      });
      stream.once('trailers', (_headers, _flags, flat?: readonly string[]) => {
        trailers = flat ?? [];
      });
      const interim = interimResponses(onInterim);
      stream.on('headers', (headers, _flags, flat?: readonly string[]) => {
        try {
          interim(Number(headers[constants.HTTP2_HEADER_STATUS]), headerList(flat ?? []));
        } catch (error) {
          failure ??= asError(error);
          cancel();
        }
      });
      stream.once('close', () => {
        signal.removeEventListener('abort', cancel);
        this.#end();
        onEnd?.();
        if (hasResponse) return;
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        const cause = failure ?? this.#problem ?? closedEarly();
        const { id } = stream;
        const isSeen = id !== undefined && id <= this.#lastStreamId;
        const maybeProcessed = isSeen && !isRefused(stream);
        reject(transportError(subject, cause, { maybeProcessed, reusedConnection }));
      });
      if (body instanceof Uint8Array) stream.end(body);
      else if (body !== undefined) {
        sendBody(body, stream, (problem) => {
          failure = problem;
          cancel();
        });
      }
    });
  }

  /** Requests under way may finish. */
  retire(): void {
    this.#isLeft = true;
    this.#draining = true;
    if (!this.#session.destroyed) this.#session.close();
  }

  destroy(): void {
    this.#isLeft = true;
    this.#session.destroy();
  }

  /** Names and values in turn, which preserves repeated headers. */
  #head({ method, path, headers, body }: HttpRequest<RequestBody>): string[] {
    const head = [':method', method, ':authority', this.#authority];
    head.push(':scheme', 'https', ':path', path);
    for (const [name, value] of headers) head.push(name, value);
    if (body instanceof Uint8Array && !hasHeader(headers, 'content-length')) {
      head.push('content-length', String(body.length));
    }
    return head;
  }

  #begin(): void {
    this.#streams += 1;
    this.#served += 1;
    if (this.#streams === 1) this.#session.ref();
  }

  #end(): void {
    this.#streams -= 1;
    if (this.#streams > 0) return;
    this.#idleSinceMs = this.#clock.nowMs();
    if (!this.#session.destroyed) this.#session.unref();
  }

  /** One timer for everything: requests are too frequent to set one for each. */
  #scheduleTimer(): void {
    const { pingIntervalMs, idleTimeoutMs } = this.#limits;
    const everyMs = Math.min(pingIntervalMs, idleTimeoutMs);
    this.#cancelTimer = this.#clock.schedule(everyMs, () => this.#onTimer());
  }

  #onTimer(): void {
    if (this.#session.destroyed) return;
    const idleMs = this.#streams > 0 ? 0 : this.#clock.nowMs() - this.#idleSinceMs;
    if (idleMs >= this.#limits.idleTimeoutMs) {
      this.retire();
      return;
    }
    this.#ping();
    this.#scheduleTimer();
  }

  /** A watch may be silent for minutes; only a ping tells a silent server from a dead one, before a request is sent. */
  #ping(): void {
    if (this.#cancelPingTimeout !== undefined) return;
    const { pingTimeoutMs } = this.#limits;
    this.#cancelPingTimeout = this.#clock.schedule(pingTimeoutMs, () => {
      const error = new Error(
        `the connection is dead: no response to a ping in ${pingTimeoutMs} ms`,
      );
      this.#break(Object.assign(error, { code: 'ETIMEDOUT' }));
    });
    const stop = (): void => {
      this.#cancelPingTimeout?.();
      this.#cancelPingTimeout = undefined;
    };
    if (!this.#session.ping(stop)) stop();
  }

  #break(problem: Error): void {
    this.#problem ??= problem;
    this.#session.destroy(problem);
  }

  #close(): void {
    this.#cancelTimer?.();
    this.#cancelPingTimeout?.();
    for (const run of this.#onClose.splice(0)) run();
  }
}

/**
 * Ends a stream at both sides. Closing alone would first end the body of the request as if it were complete; and unread
 * bytes retain a stream that is only closed.
 */
function cancelStream(stream: ClientHttp2Stream): void {
  if (stream.destroyed) return;
  if (stream.writableEnded) {
    stream.close(constants.NGHTTP2_CANCEL);
    stream.destroy();
  } else {
    stream.destroy(new Error('the request was cancelled'));
  }
}

/** A connection that breaks looks to a reader of Node's stream like the end of the response. */
function cutShort(
  stream: ClientHttp2Stream,
  { signal, subject }: HttpRequest<RequestBody>,
  cause: Error | undefined,
): Error | undefined {
  if (signal.aborted) return signal.reason;
  if (stream.readableEnded && (stream.rstCode ?? 0) === constants.NGHTTP2_NO_ERROR) {
    return undefined;
  }
  const stage = { maybeProcessed: true, reusedConnection: false };
  const problem = `${subject}: the response was cut short`;
  if (cause !== undefined) return transportError(problem, cause, stage);
  return new TransportError(problem, { code: 'ECONNRESET', ...stage });
}

function closedEarly(): Error {
  const error = new Error('the connection was closed before a response');
  return Object.assign(error, { code: 'ECONNRESET' });
}

function isRefused(stream: ClientHttp2Stream): boolean {
  return stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
}
