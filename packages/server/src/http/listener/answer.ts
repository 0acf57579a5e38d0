import { statusResponse } from '../../representation/status-response.ts';
import { wantsGzip } from '../../request/accepts-gzip.ts';
import { join, lengthOf } from '../../request/chunks.ts';
import type { ApiRequest, ApiResponse, HeaderList } from '../../request/pipeline.ts';
import type { CompressedBody, Compressor } from '../compression/compressor.ts';
import { isWebSocketRequest } from '../websocket/handshake.ts';
import type { Exchange } from './exchange.ts';
import { STAGING_BYTES, type Staging } from './staging.ts';
import { sendUpgrade, sendWatchMessages } from './upgrade-answer.ts';

/** The exchange of a response, and the parts that encode it. */
export interface Answering {
  readonly exchange: Exchange;
  readonly request: ApiRequest;
  readonly compressor: Compressor;
  readonly staging: Staging;
}

/** Writes a response to the connection; without a promise when it need not wait. */
export function sendAnswer(answering: Answering, response: ApiResponse): Promise<void> | undefined {
  const { request } = answering;
  switch (response.kind) {
    case 'object':
      return sendAnswer(answering, statusResponse(request, response));
    case 'bytes': {
      const { chunks, compressionKey } = response;
      return sendBody(answering, response, {
        chunks,
        length: lengthOf(chunks),
        sharedAs: compressionKey,
      });
    }
    case 'stream':
      return sendStream(answering, response);
    case 'proxied':
      return sendPassedOn(answering, response);
    case 'upgrade':
      return sendUpgraded(answering, response);
    default:
      response satisfies never;
  }
}

async function sendUpgraded(
  answering: Answering,
  response: ApiResponse & { kind: 'upgrade' },
): Promise<void> {
  const refused = await sendUpgrade(answering.exchange, response);
  if (refused) await sendAnswer(answering, refused);
}

async function sendStream(
  answering: Answering,
  response: ApiResponse & { kind: 'stream' },
): Promise<void> {
  const { exchange, request } = answering;
  if (request.info.verb === 'watch' && isWebSocketRequest(request.headers)) {
    const refused = await sendWatchMessages(exchange, request, response);
    if (refused) await sendAnswer(answering, refused);
    return;
  }
  exchange.start(200, head(response.contentType, response));
  exchange.flush(); // an idle watch must already look open to the client
  for await (const chunk of response.chunks) await exchange.write(chunk);
  exchange.end();
}

async function sendPassedOn(
  { exchange }: Answering,
  { code, headers = [], chunks, trailers }: ApiResponse & { kind: 'proxied' },
): Promise<void> {
  exchange.start(code, headers, trailers !== undefined);
  exchange.flush();
  for await (const chunk of chunks) await exchange.write(chunk);
  exchange.end(trailers?.());
}

type WithBody = ApiResponse & { kind: 'bytes' };

function sendBody(
  answering: Answering,
  response: WithBody,
  body: CompressedBody,
): Promise<void> | undefined {
  const { request, compressor } = answering;
  const lines = head(bodyType(response), response);
  if (wantsGzip(request.headers, body.length) && !compressor.busy && !isEncoded(response)) {
    return sendCompressed(answering, response.code, lines, body);
  }
  return sendWhole(answering, response.code, lines, body);
}

async function sendCompressed(
  answering: Answering,
  code: number,
  lines: HeaderList,
  body: CompressedBody,
): Promise<void> {
  const { exchange, request, compressor } = answering;
  const compressed = await compressor.compress(body, request.cancellation.signal);
  const encoded: HeaderList = [...lines, ['Content-Encoding', 'gzip'], ['Vary', 'Accept-Encoding']];
  if (compressed.kind === 'whole') return sendWhole(answering, code, encoded, compressed);
  exchange.start(code, encoded);
  for await (const chunk of compressed.chunks) await exchange.write(chunk);
  exchange.end();
}

/** The length is known before the first byte is sent, so both protocols frame the body in the cheapest way. */
function sendWhole(
  answering: Answering,
  code: number,
  lines: HeaderList,
  body: CompressedBody,
): Promise<void> | undefined {
  if (body.length > STAGING_BYTES) return sendStaged(answering, code, lines, body);
  answering.exchange.answer(code, lines, join(body.chunks, body.length));
  return undefined;
}

async function sendStaged(
  { exchange, staging }: Answering,
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

function head(contentType: string | undefined, { headers = [] }: ApiResponse): HeaderList {
  return contentType === undefined ? headers : [['Content-Type', contentType], ...headers];
}
