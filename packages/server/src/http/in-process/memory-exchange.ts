import { Readable } from 'node:stream';
import { requestEntityTooLarge } from '@tributary/apimachinery';
import { Cancellation } from '../../request/cancellation.ts';
import { ClientDisconnected } from '../../request/connection-errors.ts';
import type { HeaderList, Peer } from '../../request/pipeline.ts';
import { RequestHeaders } from '../../request/request-headers.ts';
import type { Exchange } from '../listener/exchange.ts';
import { BodyPipe } from './body-pipe.ts';

interface MemoryRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Names and values in turn. */
  readonly headerLines: readonly string[];
  readonly body: Uint8Array;
  readonly peer: Peer;
}

export interface ResponseHead {
  readonly code: number;
  readonly headers: HeaderList;
}

/** A request and its response within this process instead of on a connection. */
interface MemoryExchange {
  readonly exchange: Exchange;
  /** Rejects when the server closes the connection before the response begins. */
  readonly head: Promise<ResponseHead>;
  readonly body: AsyncIterable<Uint8Array>;
  /** Disconnects the client, as when a connection closes. */
  leave(): void;
}

export function memoryExchange(request: MemoryRequest): MemoryExchange {
  const cancellation = new Cancellation();
  const pipe = new BodyPipe();
  const head = Promise.withResolvers<ResponseHead>();
  let started = false;
  const start = (code: number, headers: HeaderList) => {
    started = true;
    head.resolve({ code, headers });
  };
  const exchange: Exchange = {
    method: request.method,
    target: request.target,
    headers: headersOf(request),
    peer: request.peer,
    cancellation,
    get started() {
      return started;
    },
    body: async (bytesMax) => {
      if (request.body.length > bytesMax) throw requestEntityTooLarge(bytesMax);
      return request.body;
    },
    bodyStream: () => Readable.from(request.body.length > 0 ? [request.body] : []),
    respond(code, headers, body) {
      start(code, headers);
      // A single chunk needs no backpressure: the reader takes it, or has left.
      if (body.length > 0) pipe.write(body).catch(ignoreGone);
      pipe.end();
    },
    start,
    flush() {},
    write: (chunk, taken) => {
      const written = pipe.write(chunk);
      taken?.();
      return written;
    },
    end: () => pipe.end(),
    inform() {},
    hijack: () => undefined,
    abort() {
      const error = new Error('the server closed the connection');
      head.reject(error);
      pipe.end(error);
    },
  };
  return {
    exchange,
    head: head.promise,
    body: pipe,
    leave() {
      cancellation.abort(new ClientDisconnected());
      pipe.leave();
    },
  };
}

function ignoreGone(error: unknown): void {
  if (!(error instanceof ClientDisconnected)) throw error;
}

/** A body without a length header would look like none to a backend, as in HTTP/1.1. */
function headersOf({ headerLines, body }: MemoryRequest): RequestHeaders {
  const headers = new RequestHeaders(headerLines);
  if (body.length === 0 || headers.get('content-length') !== undefined) return headers;
  return new RequestHeaders([...headerLines, 'content-length', String(body.length)]);
}
