import { badRequest } from '@tributary/apimachinery';
import { ClientDisconnected } from '../../request/connection-errors.ts';
import type { ApiRequest, ApiResponse } from '../../request/pipeline.ts';
import { PacedChannel, type WebSocketChannel } from './channel.ts';
import { chooseProtocol, isWebSocketRequest, requireHandshake } from './handshake.ts';
import { openWebSocket } from './socket.ts';

export interface AcceptOptions {
  /** Supported subprotocols; '' for clients that request none. Default: only those. */
  readonly protocols?: readonly string[];
  /** Default 1 MiB. A larger message closes the connection with code 1009. */
  readonly messageBytesMax?: number;
  /** Serves the connection, which is closed when it resolves, and closed with code 1011 when it rejects. */
  readonly serve: (channel: WebSocketChannel) => Promise<void>;
}

/** The response of a connect subresource over WebSocket. Throws an error that is sent over plain HTTP. */
export function acceptWebSocket(
  { method, headers }: ApiRequest,
  { protocols = [''], messageBytesMax, serve }: AcceptOptions,
): ApiResponse {
  if (!isWebSocketRequest(headers)) throw badRequest('Upgrade request required');
  requireHandshake(method, headers);
  const protocol = chooseProtocol(headers, protocols);
  return {
    kind: 'upgrade',
    connect: async (connection) => {
      const socket = await openWebSocket(connection, { headers, protocol, messageBytesMax });
      await converse(new PacedChannel(socket), serve);
    },
  };
}

async function converse(
  channel: WebSocketChannel,
  serve: (channel: WebSocketChannel) => Promise<void>,
): Promise<void> {
  try {
    await serve(channel);
  } catch (error) {
    await channel.close(1011, 'internal error');
    // Disconnecting is not an error, nor is its effect on the server.
    if (!(error instanceof ClientDisconnected)) throw error;
    return;
  }
  await channel.close();
}
