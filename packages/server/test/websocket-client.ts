import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { ListenerFixture } from './listener-fixture.ts';

export interface ConnectOptions {
  readonly protocols?: readonly string[];
  readonly origin?: string | undefined;
  /** PEM of the client's certificate and key. */
  readonly cert?: string;
  readonly key?: string;
}

type Place = Pick<ListenerFixture, 'url' | 'pki'>;

/** A client as browsers are: it says where it comes from. */
export function webSocketTo(
  { url, pki }: Place,
  path: string,
  { protocols = [], origin = 'https://page.example.com', cert, key }: ConnectOptions = {},
): WebSocket {
  return new WebSocket(url.replace('https:', 'wss:') + path, [...protocols], {
    ca: pki.ca.cert,
    origin,
    perMessageDeflate: false,
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  });
}

/** Everything a server says until it says goodbye. */
export async function conversation(
  socket: WebSocket,
): Promise<{ messages: string[]; code: number }> {
  const messages: string[] = [];
  socket.on('message', (data, isBinary) => {
    messages.push(isBinary ? `binary ${String(data)}` : String(data));
  });
  const [code] = (await once(socket, 'close')) as [number];
  return { messages, code };
}

/** The next messages; a conversation that ends before fails. */
export function nextMessages(socket: WebSocket, count: number): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const messages: Buffer[] = [];
    const finish = (outcome: () => void) => {
      socket.off('message', onMessage);
      socket.off('close', onClose);
      outcome();
    };
    const onMessage = (data: Buffer) => {
      if (messages.push(data) === count) finish(() => resolve(messages));
    };
    const onClose = (code: number) =>
      finish(() => reject(new Error(`closed with ${code} after ${messages.length} of ${count}`)));
    socket.on('message', onMessage);
    socket.on('close', onClose);
  });
}
