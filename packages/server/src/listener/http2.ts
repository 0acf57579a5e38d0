import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2';
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
    this.method = String(pseudo[':method'] ?? '');
    this.target = String(pseudo[':path'] ?? '');
    stream.on('close', () => {
      // Node ends what the client has left: that it was left is said apart.
      if (stream.aborted || !stream.writableFinished) this.cancellation.abort(new ClientGone());
    });
    // A reset by the client also comes as 'error'; 'close' above is where it is dealt with.
    stream.on('error', () => {});
  }

  get peer(): Peer {
    const { session } = this.#stream;
    if (session === undefined) return { address: '', certificate: undefined };
    return peerOf(session.socket as TLSSocket, session);
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
    const head = outgoing(code, lines);
    if (code !== 304) head['content-length'] = body.length;
    this.#stream.respond(head);
    this.#stream.end(body);
  }

  start(code: number, lines: HeaderList, mayHaveTrailers = false): void {
    if (this.#stream.destroyed) return;
    if (mayHaveTrailers) {
      this.#stream.once('wantTrailers', () => this.#stream.sendTrailers(this.#trailers));
    }
    this.#stream.respond(outgoing(code, lines), { waitForTrailers: mayHaveTrailers });
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
    this.#stream.additionalHeaders(outgoing(code, lines));
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

/** Of nearly every answer. */
const LOWER_CASE: Readonly<Record<string, string>> = {
  'Content-Type': 'content-type',
  'Cache-Control': 'cache-control',
  'Audit-Id': 'audit-id',
  'X-Kubernetes-PF-FlowSchema-UID': 'x-kubernetes-pf-flowschema-uid',
  'X-Kubernetes-PF-PriorityLevel-UID': 'x-kubernetes-pf-prioritylevel-uid',
};

/** HTTP/2 has lower-case names, and several lines of one name are an array. */
function outgoing(code: number, lines: HeaderList): OutgoingHttpHeaders {
  return several({ ':status': code }, lines);
}

function several(headers: OutgoingHttpHeaders, lines: HeaderList): OutgoingHttpHeaders {
  for (const [name, value] of lines) {
    const key = LOWER_CASE[name] ?? name.toLowerCase();
    const before = headers[key];
    if (before === undefined) headers[key] = value;
    else if (Array.isArray(before)) before.push(value);
    else headers[key] = [String(before), value];
  }
  return headers;
}
