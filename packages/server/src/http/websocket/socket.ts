import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ServerOptions, WebSocket } from 'ws';
import { ClientDisconnected } from '../../request/connection-errors.ts';
import type { RequestHeaders } from '../../request/request-headers.ts';

/** The largest message taken from a client; a larger one closes the connection with code 1009. */
export const MESSAGE_BYTES_MAX = 1024 * 1024;
/** Fragments and pieces of one message; more is somebody who keeps the server busy with bookkeeping. */
const FRAGMENTS_MAX = 16 * 1024;
/** How long the other side has to answer a close; then the connection is cut. */
const CLOSE_TIMEOUT_MS = 1000;
/** A client that takes nothing for so long is given up: it holds memory, and nobody tells whether it is there. */
const STALL_TIMEOUT_MS = 30_000;
/** What may lie in the connection's buffer before the sender waits. */
const BUFFERED_BYTES_MAX = 64 * 1024;

export interface OpenOptions {
  readonly headers: RequestHeaders;
  /** Chosen before; '' for none. */
  readonly protocol: string;
  readonly messageBytesMax?: number | undefined;
}

/**
 * Sends the 101 and speaks WebSocket from there on. The handshake has been checked. The library is loaded with the first
 * who comes: most servers never meet one.
 */
export async function openWebSocket(connection: Duplex, options: OpenOptions): Promise<WebSocket> {
  const { WebSocketServer } = await import('ws');
  const { protocol, messageBytesMax = MESSAGE_BYTES_MAX } = options;
  const settings: ServerOptions & { closeTimeout: number } = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false, // upstream offers none, and what is sent is shared between clients
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
  // A broken frame is answered with its code and followed by 'close', where everybody learns of the end.
  opened.on('error', () => {});
  return opened;
}

/** What the library reads of a request. */
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
 * Sends a message and tells when to go on: at once (`undefined`), or when the connection has taken it. Who does not
 * take it in time is cut off.
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

/** A connection that fails under a message is seen by the next one. */
function ignoreFailure(): void {}

/** Says goodbye and waits until the connection is closed. */
export function closeWebSocket(socket: WebSocket, code = 1000, reason = ''): Promise<void> {
  const closed = whenClosed(socket);
  socket.close(code, reason);
  return closed;
}

export function whenClosed(socket: WebSocket): Promise<void> {
  if (socket.readyState === socket.CLOSED) return Promise.resolve();
  return new Promise((resolve) => socket.once('close', () => resolve()));
}
