import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { HeaderList, Peer } from '../pipeline.ts';
import { RequestHeaders } from '../request-headers.ts';
import { readBody } from './body.ts';
import { ClientGone, writeWithBackpressure } from './drain.ts';
import type { Exchange } from './exchange.ts';
import { peerOf } from './peer.ts';

export function http2Exchange(
  stream: ServerHttp2Stream,
  pseudo: IncomingHttpHeaders,
  rawHeaders: readonly string[],
): Exchange {
  const abort = new AbortController();
  stream.on('close', () => {
    if (!stream.writableFinished) abort.abort(new ClientGone());
  });
  // A reset by the client also comes as 'error'; 'close' above is where it is dealt with.
  stream.on('error', () => {});
  const headers = new RequestHeaders(rawHeaders);
  return {
    method: String(pseudo[':method'] ?? ''),
    target: String(pseudo[':path'] ?? ''),
    headers,
    peer: sessionPeer(stream),
    signal: abort.signal,
    get started() {
      return stream.headersSent;
    },
    body: (bytesMax) => readBody(stream, bytesMax, headers.get('content-length')),
    answer: (code, lines, body) => {
      if (stream.destroyed) return;
      const head = outgoing(code, lines);
      if (code !== 304) head['content-length'] = body.length;
      stream.respond(head);
      stream.end(body);
    },
    start: (code, lines) => {
      if (!stream.destroyed) stream.respond(outgoing(code, lines));
    },
    write: (chunk) => writeWithBackpressure(stream, chunk),
    end: () => stream.end(),
    // Closing with a code ends a stream that has nothing to write properly, as if the answer were whole.
    abort: () => stream.destroy(new Error('the answer could not be completed')),
  };
}

function sessionPeer({ session }: ServerHttp2Stream): Peer {
  if (session === undefined) return { address: '', certificate: undefined };
  return peerOf(session.socket as TLSSocket, session);
}

/** HTTP/2 has lower-case names, and several lines of one name are an array. */
function outgoing(code: number, lines: HeaderList): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { ':status': code };
  for (const [name, value] of lines) {
    const key = name.toLowerCase();
    const before = headers[key];
    if (before === undefined) headers[key] = value;
    else if (Array.isArray(before)) before.push(value);
    else headers[key] = [String(before), value];
  }
  return headers;
}
