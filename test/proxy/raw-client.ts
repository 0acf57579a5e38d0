/** A client that writes bytes and shows the bytes of the response. */
import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import type { Front } from './users.ts';

/** Requests end the connection unless they say otherwise, so that the end of a response is that of the connection. */
export function request(front: Front, options: RequestText = {}): string {
  const { method = 'GET', below = '', headers = [], body = '', connection = 'close' } = options;
  const lines = [
    `${method} ${front.path}${below} HTTP/1.1`,
    'Host: front.example',
    ...front.authorization,
    `Connection: ${connection}`,
    ...headers,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

export interface RequestText {
  readonly method?: string;
  readonly below?: string;
  readonly headers?: readonly string[];
  readonly body?: string;
  readonly connection?: string;
}

export interface RawClient {
  readonly socket: TLSSocket;
  /** Bytes of the responses so far. */
  text(): string;
  /** Everything until the connection is closed. */
  all(): Promise<string>;
  until(isEnough: (text: string) => boolean): Promise<string>;
}

export async function open(front: Front, text: string): Promise<RawClient> {
  const socket = connect({
    ...{ host: '127.0.0.1', port: front.port, ca: front.ca, servername: 'localhost' },
    ALPNProtocols: ['http/1.1'],
  });
  let received = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    received += part;
  });
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  await once(socket, 'secureConnect');
  socket.write(text, 'latin1');
  return {
    socket,
    text: () => received,
    all: async () => {
      await closed;
      return received;
    },
    until: async (isEnough) => {
      while (!isEnough(received)) {
        await Promise.race([once(socket, 'data'), closed]);
        if (socket.closed && !isEnough(received)) {
          throw new Error(`the connection was closed after ${JSON.stringify(received)}`);
        }
      }
      return received;
    },
  };
}

export async function send(front: Front, options: RequestText = {}): Promise<string> {
  return (await open(front, request(front, options))).all();
}

export function statusOf(response: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1] ?? 0);
}

/** The header of the final response. */
export function headerOf(response: string, name: string): string | undefined {
  const [head = ''] = response.split('\r\n\r\n');
  return new RegExp(`^${name}: *(.*)$`, 'im').exec(head)?.[1]?.trim();
}
