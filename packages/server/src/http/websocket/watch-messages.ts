import type { Duplex } from 'node:stream';
import { ClientDisconnected } from '../../request/connection-errors.ts';
import type { ApiRequest } from '../../request/pipeline.ts';
import { requireHandshake, watchProtocol } from './handshake.ts';
import { closeWebSocket, openWebSocket, sendMessage } from './socket.ts';

const NEWLINE = 10;

export interface WatchMessages {
  /** Sends every event as one text message, until the watch ends or the client leaves. */
  serve(connection: Duplex, chunks: AsyncIterable<Uint8Array>): Promise<void>;
}

/** A watch over WebSocket. An invalid handshake throws, and its error is sent over plain HTTP. */
export function beginWatchMessages({ method, headers }: ApiRequest): WatchMessages {
  requireHandshake(method, headers);
  const protocol = watchProtocol(headers);
  return {
    serve: async (connection, chunks) => {
      const socket = await openWebSocket(connection, { headers, protocol });
      try {
        for await (const chunk of chunks) {
          for (const event of eventsOf(chunk)) await sendMessage(socket, event, false);
        }
        await closeWebSocket(socket);
      } catch (error) {
        socket.terminate();
        if (!(error instanceof ClientDisconnected)) throw error;
      }
    },
  };
}

/** Splits a chunk of whole events, each with its trailing newline, as in upstream's messages. */
export function* eventsOf(chunk: Uint8Array): Generator<Uint8Array, undefined> {
  let start = 0;
  while (start < chunk.length) {
    const newline = chunk.indexOf(NEWLINE, start);
    const end = newline === -1 ? chunk.length : newline + 1;
    yield chunk.subarray(start, end);
    start = end;
  }
}
