import type { RawData, WebSocket } from 'ws';
import { closeWebSocket, sendMessage } from './socket.ts';

export interface WebSocketMessage {
  readonly data: Uint8Array;
  readonly isText: boolean;
}

/** A WebSocket connection. Iterating yields its messages in order, until either side closes it. */
export interface WebSocketChannel extends AsyncIterable<WebSocketMessage> {
  /** The chosen subprotocol; '' for none. */
  readonly protocol: string;
  /** Text for a string, binary otherwise. Resolves when more may be sent; rejects with ClientGone. */
  send(data: string | Uint8Array): Promise<void>;
  /** Sends a close frame, and resolves when the connection is closed. Closing twice is harmless. */
  close(code?: number, reason?: string): Promise<void>;
}

/** Buffered messages; at either limit the socket is paused until there is room. */
const WAITING_MESSAGES_MAX = 64;
const WAITING_BYTES_MAX = 1024 * 1024;

/** A socket with backpressure on received messages. */
export class PacedChannel implements WebSocketChannel {
  readonly #socket: WebSocket;
  readonly #waiting: WebSocketMessage[] = [];
  #waitingBytes = 0;
  #wake: (() => void) | undefined;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data, isBinary) => this.#receive(bytesOf(data), !isBinary));
    socket.on('close', () => this.#wake?.());
  }

  get protocol(): string {
    return this.#socket.protocol;
  }

  async send(data: string | Uint8Array): Promise<void> {
    const isText = typeof data === 'string';
    await sendMessage(this.#socket, isText ? Buffer.from(data) : data, !isText);
  }

  close(code?: number, reason?: string): Promise<void> {
    // After a close no message is read, and the other side's close must not wait behind messages.
    this.#socket.resume();
    return closeWebSocket(this.#socket, code, reason);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WebSocketMessage, undefined> {
    while (true) {
      const message = this.#waiting.shift();
      if (message !== undefined) {
        this.#waitingBytes -= message.data.length;
        if (this.#socket.isPaused && !this.#isFull) this.#socket.resume();
        yield message;
      } else if (this.#socket.readyState === this.#socket.CLOSED) {
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  get #isFull(): boolean {
    return this.#waiting.length >= WAITING_MESSAGES_MAX || this.#waitingBytes >= WAITING_BYTES_MAX;
  }

  #receive(data: Uint8Array, isText: boolean): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#waiting.push({ data, isText });
    this.#waitingBytes += data.length;
    if (this.#isFull) this.#socket.pause();
    this.#wake?.();
  }
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
