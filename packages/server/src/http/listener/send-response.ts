import { statusResponse } from '../../representation/status-response.ts';
import { wantsGzip } from '../../request/accepts-gzip.ts';
import { join, lengthOf } from '../../request/chunks.ts';
import type { ApiRequest, ApiResponse, HeaderList } from '../../request/pipeline.ts';
import type { CompressedBody, Compressor } from '../compression/compressor.ts';
import { isWebSocketRequest } from '../websocket/handshake.ts';
import type { Exchange } from './exchange.ts';
import { sendUpgrade, sendWatchMessages } from './send-upgrade.ts';
import { STAGING_BYTES, type Staging } from './staging.ts';

/** The exchange of a response, and the parts that encode it. */
export interface ResponseContext {
  readonly exchange: Exchange;
  readonly request: ApiRequest;
  readonly compressor: Compressor;
  readonly staging: Staging;
}

/** Writes a response to the connection; without a promise when it need not wait. */
export function sendResponse(
  context: ResponseContext,
  response: ApiResponse,
): Promise<void> | undefined {
  const { request } = context;
  switch (response.kind) {
    case 'object':
      return sendResponse(context, statusResponse(request, response));
    case 'bytes': {
      const { chunks, compressionKey } = response;
      return sendBody(context, response, {
        chunks,
        length: lengthOf(chunks),
        sharedAs: compressionKey,
      });
    }
    case 'stream':
      return sendStream(context, response);
    case 'proxied':
      return sendProxied(context, response);
    case 'upgrade':
      return sendUpgraded(context, response);
    default:
      response satisfies never;
  }
}

async function sendUpgraded(
  context: ResponseContext,
  response: ApiResponse & { kind: 'upgrade' },
): Promise<void> {
  const rejection = await sendUpgrade(context.exchange, response);
  if (rejection) await sendResponse(context, rejection);
}

async function sendStream(
  context: ResponseContext,
  response: ApiResponse & { kind: 'stream' },
): Promise<void> {
  const { exchange, request } = context;
  if (request.info.verb === 'watch' && isWebSocketRequest(request.headers)) {
    const rejection = await sendWatchMessages(exchange, request, response);
    if (rejection) await sendResponse(context, rejection);
    return;
  }
  exchange.start(200, headerOf(response.contentType, response));
  exchange.flush(); // an idle watch must already look open to the client
  for await (const chunk of response.chunks) await exchange.write(chunk);
  exchange.end();
}

async function sendProxied(
  { exchange }: ResponseContext,
  { code, headers = [], chunks, trailers }: ApiResponse & { kind: 'proxied' },
): Promise<void> {
  exchange.start(code, headers, trailers !== undefined);
  exchange.flush();
  for await (const chunk of chunks) await exchange.write(chunk);
  exchange.end(trailers?.());
}

type WithBody = ApiResponse & { kind: 'bytes' };

function sendBody(
  context: ResponseContext,
  response: WithBody,
  body: CompressedBody,
): Promise<void> | undefined {
  const { request, compressor } = context;
  const lines = headerOf(bodyType(response), response);
  if (wantsGzip(request.headers, body.length) && !compressor.busy && !isEncoded(response)) {
    return sendCompressed(context, response.code, lines, body);
  }
  return sendWhole(context, response.code, lines, body);
}

async function sendCompressed(
  context: ResponseContext,
  code: number,
  lines: HeaderList,
  body: CompressedBody,
): Promise<void> {
  const { exchange, request, compressor } = context;
  const compressed = await compressor.compress(body, request.cancellation.signal);
  const encoded: HeaderList = [...lines, ['Content-Encoding', 'gzip'], ['Vary', 'Accept-Encoding']];
  if (compressed.kind === 'whole') return sendWhole(context, code, encoded, compressed);
  exchange.start(code, encoded);
  for await (const chunk of compressed.chunks) await exchange.write(chunk);
  exchange.end();
}

/** The length is known before the first byte is sent, so both protocols frame the body in the cheapest way. */
function sendWhole(
  context: ResponseContext,
  code: number,
  lines: HeaderList,
  body: CompressedBody,
): Promise<void> | undefined {
  if (body.length > STAGING_BYTES) return sendStaged(context, code, lines, body);
  context.exchange.respond(code, lines, join(body.chunks, body.length));
  return undefined;
}

async function sendStaged(
  { exchange, staging }: ResponseContext,
  code: number,
  lines: HeaderList,
  { chunks, length }: CompressedBody,
): Promise<void> {
  exchange.start(code, [...lines, ['Content-Length', String(length)]]);
  for (const { bytes, taken } of staging.pieces(chunks)) await exchange.write(bytes, taken);
  exchange.end();
}

function bodyType(response: WithBody): string | undefined {
  if (response.code === 304) return undefined; // no body
  return response.contentType;
}

function isEncoded({ headers = [] }: ApiResponse): boolean {
  return headers.some(([name]) => name.toLowerCase() === 'content-encoding');
}

function headerOf(contentType: string | undefined, { headers = [] }: ApiResponse): HeaderList {
  return contentType === undefined ? headers : [['Content-Type', contentType], ...headers];
}
