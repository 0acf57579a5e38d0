import { parseQuery } from '@tributary/apimachinery';
import { anonymous } from '../filters/authentication.ts';
import type { ApiRequest, ApiResponse, Handler, HeaderList } from '../pipeline.ts';
import { parseRequestInfo } from '../request-info.ts';
import { Warnings } from '../warnings.ts';
import { ClientGone } from './drain.ts';
import type { Exchange } from './exchange.ts';
import { encodeObject } from './object-body.ts';

export interface EdgeOptions {
  readonly handler: Handler;
  readonly bodyBytesMax: number;
  readonly reportBug: (error: unknown) => void;
}

/** Many small writes cost more than one copy: list items are gathered up to this size, which bounds memory. */
const GATHER_BYTES = 256 * 1024;

/** Turns exchanges into requests, and responses into bytes on the connection. */
export function serveExchanges(options: EdgeOptions): (exchange: Exchange) => void {
  return (exchange) => {
    serveOne(exchange, options).catch((error: unknown) => {
      if (!(error instanceof ClientGone)) options.reportBug(error);
      exchange.abort();
    });
  };
}

async function serveOne(exchange: Exchange, options: EdgeOptions): Promise<void> {
  const request = requestOf(exchange, options.bodyBytesMax);
  await send(exchange, request, await options.handler(request));
}

function requestOf(exchange: Exchange, bodyBytesMax: number): ApiRequest {
  const { method, target, headers, peer, cancellation } = exchange;
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  const query = parseQuery(mark === -1 ? '' : target.slice(mark + 1));
  const info = parseRequestInfo(method, path, query);
  const warnings = new Warnings();
  const body = () => exchange.body(bodyBytesMax);
  return {
    method,
    path,
    query,
    headers,
    peer,
    info,
    user: anonymous,
    warnings,
    cancellation,
    body,
  };
}

async function send(exchange: Exchange, request: ApiRequest, response: ApiResponse): Promise<void> {
  switch (response.kind) {
    case 'object':
      exchange.answer(
        response.code,
        head(response, 'application/json'),
        encodeObject(response.object, request),
      );
      return;
    case 'bytes':
      await sendChunks(exchange, response);
      return;
    case 'stream':
      exchange.start(200, head(response, response.contentType));
      for await (const chunk of response.chunks) await exchange.write(chunk);
      exchange.end();
      return;
    case 'upgrade':
      throw new Error('upgrades are answered by the upgrade listener');
    default:
      response satisfies never;
  }
}

/** The length is known before the first byte leaves, so both protocols frame the body in the cheapest way. */
async function sendChunks(
  exchange: Exchange,
  response: ApiResponse & { kind: 'bytes' },
): Promise<void> {
  const { code, chunks } = response;
  const lines = head(response, response.contentType);
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  if (length <= GATHER_BYTES) {
    exchange.answer(code, lines, join(chunks, length));
    return;
  }
  exchange.start(code, [...lines, ['Content-Length', String(length)]]);
  for (const piece of gather(chunks)) await exchange.write(piece);
  exchange.end();
}

/** Joins small chunks; a large one passes as it is, without a copy. */
function* gather(chunks: readonly Uint8Array[]): Generator<Uint8Array, undefined> {
  let first = 0;
  let length = 0;
  for (const [index, chunk] of chunks.entries()) {
    if (length > 0 && length + chunk.length > GATHER_BYTES) {
      yield join(chunks.slice(first, index), length);
      first = index;
      length = 0;
    }
    length += chunk.length;
  }
  yield join(chunks.slice(first), length);
}

function join(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = chunks;
  return chunks.length === 1 && only ? only : Buffer.concat(chunks, length);
}

function head(response: ApiResponse, contentType: string): HeaderList {
  const isEmpty = 'code' in response && response.code === 304;
  return [
    ...(isEmpty ? [] : [['Content-Type', contentType] as const]),
    ...(response.headers ?? []),
  ];
}
