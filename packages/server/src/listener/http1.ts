import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { Cancellation } from '../cancellation.ts';
import type { HeaderList, Peer } from '../pipeline.ts';
import { RequestHeaders } from '../request-headers.ts';
import { readBody } from './body.ts';
import { ClientGone, writeWithBackpressure } from './drain.ts';
import type { Exchange } from './exchange.ts';
import { peerOf } from './peer.ts';

export class Http1Exchange implements Exchange {
  readonly cancellation = new Cancellation();
  readonly headers: RequestHeaders;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#request = request;
    this.#response = response;
    this.headers = new RequestHeaders(request.rawHeaders);
    response.on('close', () => {
      if (!response.writableFinished) this.cancellation.abort(new ClientGone());
    });
  }

  get method(): string {
    return this.#request.method ?? '';
  }

  get target(): string {
    return this.#request.url ?? '';
  }

  get peer(): Peer {
    return peerOf(this.#request.socket as TLSSocket, this.#request.socket);
  }

  get started(): boolean {
    return this.#response.headersSent;
  }

  body(bytesMax: number): Promise<Uint8Array> {
    return readBody(this.#request, bytesMax, this.headers.get('content-length'));
  }

  answer(code: number, lines: HeaderList, body: Uint8Array): void {
    const headers = lines.flat();
    if (code !== 304) headers.push('Content-Length', String(body.length));
    this.#response.writeHead(code, headers);
    this.#response.end(body);
  }

  /** One line per entry: Node joins nothing when it is given names and values in turn. */
  start(code: number, lines: HeaderList): void {
    this.#response.writeHead(code, lines.flat());
    this.#response.flushHeaders();
  }

  write(chunk: Uint8Array): Promise<void> | undefined {
    return writeWithBackpressure(this.#response, chunk);
  }

  end(): void {
    this.#response.end();
  }

  abort(): void {
    this.#response.destroy();
  }
}
