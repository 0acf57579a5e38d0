import type {
  IncomingHttpHeaders,
  OutgoingHttpHeaders,
  ServerHttp2Stream,
  ServerStreamResponseOptions,
} from 'node:http2';
import type { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { Cancellation } from '../cancellation.ts';
import type { HeaderList, Peer } from '../pipeline.ts';
import { RequestHeaders } from '../request-headers.ts';
import { readBody } from './body.ts';
import { ClientGone, writeWithBackpressure } from './drain.ts';
import type { Exchange } from './exchange.ts';
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
      // Node ends what the client has left: that it was left is said apart.
      if (stream.aborted || !stream.writableFinished) this.cancellation.abort(new ClientGone());
    });
    // A reset by the client also comes as 'error'; 'close' above is where it is dealt with.
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

  answer(code: number, lines: HeaderList, body: Uint8Array): void {
    if (this.#stream.destroyed) return;
    const head = namesAndValues(code, lines);
    if (code !== 304) head.push('content-length', String(body.length));
    respond(this.#stream, head);
    this.#stream.end(body);
  }

  start(code: number, lines: HeaderList, mayHaveTrailers = false): void {
    if (this.#stream.destroyed) return;
    if (mayHaveTrailers) {
      this.#stream.once('wantTrailers', () => this.#stream.sendTrailers(this.#trailers));
    }
    respond(this.#stream, namesAndValues(code, lines), { waitForTrailers: mayHaveTrailers });
  }

  /** The head of a stream leaves by itself. */
  flush(): void {}

  write(chunk: Uint8Array, taken?: () => void): Promise<void> | undefined {
    return writeWithBackpressure(this.#stream, chunk, taken);
  }

  end(trailers: HeaderList = []): void {
    this.#trailers = several({}, trailers);
    this.#stream.end();
  }

  inform(code: number, lines: HeaderList): void {
    if (this.#stream.destroyed || this.#stream.headersSent) return;
    this.#stream.additionalHeaders(several({ ':status': code }, lines));
  }

  /** A connection with other streams on it cannot be given away; clients upgrade over HTTP/1.1. */
  takeOver(): undefined {
    return undefined;
  }

  /** Closing with a code would end a stream that has nothing to write properly, as if the answer were whole. */
  abort(): void {
    this.#stream.destroy(new Error('the answer could not be completed'));
  }
}

function peerOfStream({ session }: ServerHttp2Stream): Peer {
  if (session === undefined) return { address: '', certificate: undefined };
  return peerOf(session.socket as TLSSocket, session);
}

/** Of nearly every answer. */
const LOWER_CASE: Readonly<Record<string, string>> = {
  'Content-Type': 'content-type',
  'Cache-Control': 'cache-control',
  'Audit-Id': 'audit-id',
  'X-Kubernetes-PF-FlowSchema-UID': 'x-kubernetes-pf-flowschema-uid',
  'X-Kubernetes-PF-PriorityLevel-UID': 'x-kubernetes-pf-prioritylevel-uid',
};

/** Names and values in turn, which Node takes as they are; an object it would copy and sort first. */
function namesAndValues(code: number, lines: HeaderList): string[] {
  const flat = [':status', String(code)];
  for (const [name, value] of lines) flat.push(lowerCase(name), value);
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
  return LOWER_CASE[name] ?? name.toLowerCase();
}

/** Several lines of one name are an array. */
function several(headers: OutgoingHttpHeaders, lines: HeaderList): OutgoingHttpHeaders {
  for (const [name, value] of lines) {
    const key = lowerCase(name);
    const before = headers[key];
    if (before === undefined) headers[key] = value;
    else if (Array.isArray(before)) before.push(value);
    else headers[key] = [String(before), value];
  }
  return headers;
}
