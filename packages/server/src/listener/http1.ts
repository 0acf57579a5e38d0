import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { HeaderList } from '../pipeline.ts';
import { RequestHeaders } from '../request-headers.ts';
import { readBody } from './body.ts';
import { ClientGone, writeWithBackpressure } from './drain.ts';
import type { Exchange } from './exchange.ts';
import { peerOf } from './peer.ts';

export function http1Exchange(request: IncomingMessage, response: ServerResponse): Exchange {
  const abort = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) abort.abort(new ClientGone());
  });
  const headers = new RequestHeaders(request.rawHeaders);
  return {
    method: request.method ?? '',
    target: request.url ?? '',
    headers,
    peer: peerOf(request.socket as TLSSocket, request.socket),
    signal: abort.signal,
    get started() {
      return response.headersSent;
    },
    body: (bytesMax) => readBody(request, bytesMax, headers.get('content-length')),
    answer: (code, lines, body) => {
      response.writeHead(code, withLength(lines, code, body));
      response.end(body);
    },
    start: (code, lines) => {
      response.writeHead(code, flatten(lines));
      response.flushHeaders();
    },
    write: (chunk) => writeWithBackpressure(response, chunk),
    end: () => response.end(),
    abort: () => response.destroy(),
  };
}

/** One line per entry: Node joins nothing when it is given names and values in turn. */
function flatten(lines: HeaderList): string[] {
  return lines.flat();
}

function withLength(lines: HeaderList, code: number, body: Uint8Array): string[] {
  const headers = flatten(lines);
  if (code !== 304) headers.push('Content-Length', String(body.length));
  return headers;
}
