import type {
  IncomingHttpHeaders,
  OutgoingHttpHeaders,
  ServerHttp2Stream,
  ServerStreamResponseOptions,
} from 'node:http2';
import type { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import {
  InvalidHeaderError,
  interimOrTrailerHeaders,
  isHeaderName,
  isHeaderValue,
  isHttp2Header,
  isSingleValueHeader,
} from '@tributary/client/http';
import { Cancellation } from '../../request/cancellation.ts';
import { ClientDisconnected } from '../../request/connection-errors.ts';
import type { HeaderList, Peer } from '../../request/pipeline.ts';
import { RequestHeaders } from '../../request/request-headers.ts';
import { readBody } from './body.ts';
import { writeWithBackpressure } from './drain.ts';
import { type Exchange, isInterim } from './exchange.ts';
import { peerOf } from './peer.ts';

export class Http2Exchange implements Exchange {
  readonly cancellation = new Cancellation();
  readonly headers: RequestHeaders;
  readonly peer: Peer;
  readonly method: string;
  readonly target: string;
  readonly #stream: ServerHttp2Stream;
  #trailers: OutgoingHttpHeaders = {};

  constructor(
    stream: ServerHttp2Stream,
    pseudo: IncomingHttpHeaders,
    rawHeaders: readonly string[],
  ) {
    this.#stream = stream;
    this.headers = new RequestHeaders(rawHeaders);
    this.peer = peerOfStream(stream);
    this.method = String(pseudo[':method'] ?? '');
    this.target = String(pseudo[':path'] ?? '');
    stream.on('close', () => {
      // Node ends streams that the client has reset, so the reset is reported here.
      if (stream.aborted || !stream.writableFinished)
        this.cancellation.abort(new ClientDisconnected());
    });
    // A reset by the client also emits 'error'; 'close' above handles it.
    stream.on('error', () => {});
  }

  get started(): boolean {
    return this.#stream.headersSent;
  }

  body(bytesMax: number): Promise<Uint8Array> {
    return readBody(this.#stream, bytesMax, this.headers.get('content-length'));
  }

  bodyStream(): Readable {
    return this.#stream;
  }

  respond(code: number, lines: HeaderList, body: Uint8Array): void {
    if (this.#stream.destroyed) return;
    const head = namesAndValues(code, lines);
    if (code !== 304) head.push('content-length', String(body.length));
    respond(this.#stream, head);
    this.#stream.end(body);
  }

  start(code: number, lines: HeaderList, mayHaveTrailers = false): void {
    if (this.#stream.destroyed) return;
    const head = namesAndValues(code, lines);
    if (mayHaveTrailers) this.#stream.once('wantTrailers', () => this.#sendTrailers());
    respond(this.#stream, head, { waitForTrailers: mayHaveTrailers });
  }

  /** The header of a stream is sent by itself. */
  flush(): void {}

  write(chunk: Uint8Array, taken?: () => void): Promise<void> | undefined {
    return writeWithBackpressure(this.#stream, chunk, taken);
  }

  end(trailers: HeaderList = []): void {
    this.#trailers = several(interimOrTrailerHeaders(trailers));
    this.#stream.end();
  }

  inform(code: number, lines: HeaderList): void {
    const stream = this.#stream;
    if (stream.destroyed || stream.closed || stream.headersSent || !isInterim(code)) return;
    stream.additionalHeaders({ ...several(interimOrTrailerHeaders(lines)), ':status': code });
  }

  /** A connection with other streams cannot be upgraded; clients upgrade over HTTP/1.1. */
  hijack(): undefined {
    return undefined;
  }

  /** The stream may have been closed since its last byte was written. */
  #sendTrailers(): void {
    const stream = this.#stream;
    if (!stream.destroyed && !stream.closed) stream.sendTrailers(this.#trailers);
  }

  /** Closing with a code would end a stream that has nothing to write regularly, as if the response were complete. */
  abort(): void {
    this.#stream.destroy(new Error('the response could not be completed'));
  }
}

function peerOfStream({ session }: ServerHttp2Stream): Peer {
  if (session === undefined) return { address: '', certificate: undefined };
  return peerOf(session.socket as TLSSocket, session);
}

/** Names in nearly every response. */
const LOWER_CASE: ReadonlyMap<string, string> = new Map(
  [
    'Content-Type',
    'Cache-Control',
    'Audit-Id',
    'X-Kubernetes-PF-FlowSchema-UID',
    'X-Kubernetes-PF-PriorityLevel-UID',
  ].map((name) => [name, name.toLowerCase()]),
);

/**
 * Names and values in turn, which Node uses unchanged; an object it would copy and sort first. Headers that HTTP/2 does
 * not have are omitted, and of a single-value header only the first value is sent.
 */
function namesAndValues(code: number, lines: HeaderList): string[] {
  const flat = [':status', String(code)];
  let singles: Set<string> | undefined;
  for (const [name, value] of lines) {
    const key = lowerCase(name);
    if (!isHttp2Header(key, value)) continue;
    if (isSingleValueHeader(key)) {
      singles ??= new Set();
      if (singles.has(key)) continue;
      singles.add(key);
    } else if (!isHeaderName(key)) throw new InvalidHeaderError(name);
    if (!isHeaderValue(value)) throw new InvalidHeaderError(name);
    flat.push(key, value);
  }
  return flat;
}

/** The types do not know this form yet. */
function respond(
  stream: ServerHttp2Stream,
  head: readonly string[],
  options?: ServerStreamResponseOptions,
): void {
  stream.respond(head as unknown as OutgoingHttpHeaders, options);
}

/** HTTP/2 has lower-case names. */
function lowerCase(name: string): string {
  return LOWER_CASE.get(name) ?? name.toLowerCase();
}

/** Repeated headers become an array. Names are data, so the object has no prototype. */
function several(lines: HeaderList): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = Object.create(null);
  for (const [name, value] of lines) {
    const key = lowerCase(name);
    const before = headers[key];
    if (before === undefined) headers[key] = value;
    else if (Array.isArray(before)) before.push(value);
    else headers[key] = [String(before), value];
  }
  return headers;
}
