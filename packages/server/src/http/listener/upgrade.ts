import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { nodeHttp } from '@tributary/client/http';
import { ClientDisconnected } from '../../request/connection-errors.ts';
import type { HeaderList } from '../../request/pipeline.ts';
import type { Exchange } from './exchange.ts';
import { Http1Exchange } from './http1.ts';

/**
 * Whether a request may upgrade. One with a body is served without an upgrade, because Node passes the bytes after an
 * upgrade's header to the new owner of the connection.
 */
export function mayUpgrade({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

/** A request for another protocol. Its response may still be HTTP, and then the connection is closed. */
export class UpgradeExchange extends Http1Exchange implements Exchange {
  readonly #socket: Socket;
  readonly #response: ServerResponse;
  readonly #head: Buffer;
  #taken = false;

  constructor(request: IncomingMessage, socket: Socket, head: Buffer) {
    const { ServerResponse } = nodeHttp();
    const response = new ServerResponse(request);
    super(request, response);
    this.#socket = socket;
    this.#response = response;
    this.#head = head;
    // Node has released the connection: it neither handles errors nor closes it after a response.
    socket.on('error', () => {});
    socket.on('close', () => this.cancellation.abort(new ClientDisconnected()));
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.on('finish', () => socket.destroySoon());
  }

  override get started(): boolean {
    return this.#taken || super.started;
  }

  override hijack(): Duplex {
    this.#taken = true;
    // Another protocol may send more after the client has ended its half. Only these sockets: an HTTP client that
    // closes its half has disconnected.
    this.#socket.allowHalfOpen = true;
    this.#response.detachSocket(this.#socket);
    if (this.#head.length > 0) this.#socket.unshift(this.#head);
    return this.#socket;
  }

  override end(trailers?: HeaderList): void {
    if (this.#taken) this.#socket.destroySoon();
    else super.end(trailers);
  }

  override abort(): void {
    this.#socket.destroy();
  }
}
