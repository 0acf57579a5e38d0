import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ServerOptions, WebSocket } from 'ws';
import { ClientDisconnected } from '../../request/connection-errors.ts';
import type { RequestHeaders } from '../../request/request-headers.ts';

/** The maximum size of a client's message; a larger one closes the connection with code 1009. */
export const MESSAGE_BYTES_MAX = 1024 * 1024;
/** Fragments and chunks of one message; more would only burden the server. */
const FRAGMENTS_MAX = 16 * 1024;
/** Timeout of the closing handshake, after which the connection is closed. */
const CLOSE_TIMEOUT_MS = 1000;
/** A client that does not read for so long is disconnected: it uses memory, and may have vanished. */
const STALL_TIMEOUT_MS = 30_000;
/** Bytes in the connection's buffer before the sender waits. */
const BUFFERED_BYTES_MAX = 64 * 1024;

export interface OpenOptions {
  readonly headers: RequestHeaders;
  /** The negotiated subprotocol; '' for none. */
  readonly protocol: string;
  readonly messageBytesMax?: number | undefined;
}

/**
 * Sends the 101, after which the connection is a WebSocket. The handshake has been validated. The library is loaded at
 * first use: most servers never need it.
 */
export async function openWebSocket(connection: Duplex, options: OpenOptions): Promise<WebSocket> {
  const { WebSocketServer } = await import('ws');
  const { protocol, messageBytesMax = MESSAGE_BYTES_MAX } = options;
  const settings: ServerOptions & { closeTimeout: number } = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false, // upstream offers none, and messages are shared between clients
    maxPayload: messageBytesMax,
    maxBufferedChunks: FRAGMENTS_MAX,
    closeTimeout: CLOSE_TIMEOUT_MS,
    handleProtocols: () => protocol,
  };
  const server = new WebSocketServer(settings);
  let opened: WebSocket | undefined;
  server.handleUpgrade(openingRequest(options), connection, Buffer.alloc(0), (socket) => {
    opened = socket;
  });
  if (opened === undefined) throw new Error('the handshake failed after it was checked');
  // An invalid frame is answered with its code and followed by 'close', which reports the end.
  opened.on('error', () => {});
  return opened;
}

/** The part of a request that the library reads. */
function openingRequest({ headers, protocol }: OpenOptions): IncomingMessage {
  const known = {
    method: 'GET',
    headers: {
      upgrade: 'websocket',
      'sec-websocket-key': headers.get('sec-websocket-key'),
      'sec-websocket-version': headers.get('sec-websocket-version'),
      ...(protocol !== '' && { 'sec-websocket-protocol': protocol }),
    },
  };
  return known as unknown as IncomingMessage;
}

/**
 * Sends a message with backpressure: undefined when the caller may go on at once, or a promise. A client that does not
 * read in time is disconnected.
 */
export function sendMessage(
  socket: WebSocket,
  data: Uint8Array,
  binary: boolean,
): Promise<void> | undefined {
  if (socket.readyState !== socket.OPEN) return Promise.reject(new ClientDisconnected());
  if (socket.bufferedAmount + data.length <= BUFFERED_BYTES_MAX) {
    socket.send(data, { binary }, ignoreFailure);
    return undefined;
  }
  return new Promise((resolve, reject) => {
    const stalled = setTimeout(() => socket.terminate(), STALL_TIMEOUT_MS);
    socket.send(data, { binary }, (error) => {
      clearTimeout(stalled);
      if (error) reject(new ClientDisconnected());
      else resolve();
    });
  });
}

/** A failed write is reported by the next one. */
function ignoreFailure(): void {}

/** Sends a close frame and waits until the connection is closed. */
export function closeWebSocket(socket: WebSocket, code = 1000, reason = ''): Promise<void> {
  const closed = whenClosed(socket);
  socket.close(code, reason);
  return closed;
}

export function whenClosed(socket: WebSocket): Promise<void> {
  if (socket.readyState === socket.CLOSED) return Promise.resolve();
  return new Promise((resolve) => socket.once('close', () => resolve()));
}
