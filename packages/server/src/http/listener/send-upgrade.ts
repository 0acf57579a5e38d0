import { badRequest, StatusError } from '@tributary/apimachinery';
import type { ApiRequest, ApiResponse, HeaderList } from '../../request/pipeline.ts';
import { withHeaders } from '../../request/respond.ts';
import { statusResponse } from '../../request/status-response.ts';
import { beginWatchMessages, type WatchMessages } from '../websocket/watch-messages.ts';
import type { Exchange } from './exchange.ts';

/** Hands over the connection, and ends it when the new protocol is done. A returned response is sent instead. */
export async function sendUpgrade(
  exchange: Exchange,
  response: ApiResponse & { kind: 'upgrade' },
): Promise<ApiResponse | undefined> {
  const connection = exchange.hijack();
  if (connection === undefined) {
    return refusal(response.onRefused?.() ?? badRequest('Upgrade request required'), response);
  }
  await response.connect(connection);
  exchange.end();
  return undefined;
}

/** A watch over WebSocket. As upstream, the 101 has none of the response's headers; a rejection has all of them. */
export async function sendWatchMessages(
  exchange: Exchange,
  request: ApiRequest,
  response: ApiResponse & { kind: 'stream' },
): Promise<ApiResponse | undefined> {
  const messages = handshake(request);
  if (messages instanceof StatusError) {
    return refusal(messages, response, [['Sec-WebSocket-Version', '13']]);
  }
  const connection = exchange.hijack();
  if (connection === undefined) return refusal(badRequest('not websocket protocol'), response);
  await messages.serve(connection, response.chunks);
  exchange.end();
  return undefined;
}

function handshake(request: ApiRequest): WatchMessages | StatusError {
  try {
    return beginWatchMessages(request);
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
}

function refusal(error: StatusError, { headers = [] }: ApiResponse, more: HeaderList = []) {
  return withHeaders(statusResponse(error), [...headers, ...more]);
}
