import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { StatusError } from '@tributary/apimachinery';
import { interimOrTrailerHeaders, nodeHttp } from '@tributary/client/http';
import { Cancellation } from '../../request/cancellation.ts';
import { ClientDisconnected } from '../../request/connection-errors.ts';
import type { HeaderList, Peer } from '../../request/pipeline.ts';
import { RequestHeaders } from '../../request/request-headers.ts';
import { readBody } from './body.ts';
import { writeWithBackpressure } from './drain.ts';
import { type Exchange, isInterim } from './exchange.ts';
import { peerOf } from './peer.ts';
import { originForm } from './request-line.ts';

/** An exchange over HTTP/1.1. */
export class Http1Exchange implements Exchange {
  readonly cancellation = new Cancellation();
  readonly headers: RequestHeaders;
  readonly peer: Peer;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#request = request;
    this.#response = response;
    this.headers = new RequestHeaders(request.rawHeaders);
    const socket = request.socket as TLSSocket;
    this.peer = peerOf(socket, socket);
    response.on('close', () => {
      if (!response.writableFinished) this.cancellation.abort(new ClientDisconnected());
    });
  }

  get method(): string {
    return this.#request.method ?? '';
  }

  get target(): string {
    return originForm(this.method, this.#request.url ?? '');
  }

  get started(): boolean {
    return this.#response.headersSent;
  }

  body(bytesMax: number): Promise<Uint8Array> {
    return readBody(this.#request, bytesMax, this.headers.get('content-length'));
  }

  bodyStream(): Readable {
    return this.#request;
  }

  respond(code: number, lines: HeaderList, body: Uint8Array): void {
    const head = namesAndValues(lines);
    if (code !== 304) head.push('Content-Length', String(body.length));
    this.#response.writeHead(code, head);
    this.#response.end(body);
  }

  start(code: number, lines: HeaderList): void {
    this.#response.writeHead(code, namesAndValues(lines));
  }

  flush(): void {
    this.#response.flushHeaders();
  }

  write(chunk: Uint8Array, taken?: () => void): Promise<void> | undefined {
    return writeWithBackpressure(this.#response, chunk, taken);
  }

  end(trailers: HeaderList = []): void {
    // Only chunked bodies have trailers.
    if (trailers.length > 0 && this.#response.chunkedEncoding) {
      this.#response.addTrailers(interimOrTrailerHeaders(trailers));
    }
    this.#response.end();
  }

  /** Node has methods for some codes only, so the header is written as text. */
  inform(code: number, lines: HeaderList): void {
    const { socket, headersSent } = this.#response;
    // Without a socket, the response to an earlier request of this connection is incomplete.
    if (headersSent || socket === null || socket.destroyed || !isInterim(code)) return;
    if (socket.writableNeedDrain) return; // a hint is not worth its memory for a client that does not read
    if (this.#request.httpVersion !== '1.1') return;
    const head = [`HTTP/1.1 ${code} ${nodeHttp().STATUS_CODES[code] ?? ''}`];
    for (const [name, value] of interimOrTrailerHeaders(lines)) head.push(`${name}: ${value}`);
    socket.write(`${head.join('\r\n')}\r\n\r\n`, 'latin1');
  }

  /** Rejects a request that violates HTTP, and closes the connection. */
  refuse({ code, status }: StatusError): void {
    const lines: HeaderList = [
      ['Content-Type', 'application/json'],
      ['Connection', 'close'],
    ];
    this.respond(code, lines, Buffer.from(JSON.stringify(status)));
  }

  hijack(): Duplex | undefined {
    return undefined;
  }

  abort(): void {
    this.#response.destroy();
  }
}

/** Node does not join headers that are given as names and values in turn. */
function namesAndValues(lines: HeaderList): string[] {
  const flat: string[] = [];
  for (const [name, value] of lines) flat.push(name, value);
  return flat;
}
