/** A backend that shows the bytes of every request and responds with bytes of the test's choice. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { defer, type Pki, type TestScope } from '../harness/index.ts';

export interface RawRequest {
  readonly line: string;
  /** Lower-case names. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

export interface RawBackend {
  readonly port: number;
  readonly requests: RawRequest[];
  /** Bytes of all connections, those behind a changed protocol included. */
  received(): string;
  /** Connections that have brought a request; a pool may hold others open. */
  openSockets(): number;
}

export type Respond = (socket: Socket, request: RawRequest, count: number) => void;

export async function startRawBackend(
  t: TestScope,
  respond: Respond,
  pki?: Pki,
): Promise<RawBackend> {
  const requests: RawRequest[] = [];
  const sockets = new Set<Socket>();
  const used = new Set<Socket>();
  let received = '';
  const serve = (socket: Socket): void => {
    let unread = '';
    let isUpgraded = false;
    sockets.add(socket);
    socket
      .on('error', () => {})
      .once('close', () => {
        sockets.delete(socket);
        used.delete(socket);
      });
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text;
      if (isUpgraded) return;
      unread += text;
      for (let message = firstMessage(unread); message; message = firstMessage(unread)) {
        unread = unread.slice(message.length);
        used.add(socket);
        requests.push(message.request);
        isUpgraded = message.request.headers.some(([name]) => name === 'upgrade');
        respond(socket, message.request, requests.length);
      }
    });
  };
  const server =
    pki === undefined
      ? createServer(serve)
      : createTlsServer({ ...pki.server, ALPNProtocols: ['http/1.1'] }, serve);
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  defer(t, async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, requests, received: () => received, openSockets: () => used.size };
}

/** The first message of a connection. Throws where two servers could read its framing differently. */
function firstMessage(
  text: string,
): { readonly request: RawRequest; readonly length: number } | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [line = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = lines.map((header): [string, string] => {
    const colon = header.indexOf(':');
    return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()];
  });
  const body = bodyOf(headers, text.slice(end + 4));
  return body && { request: { line, headers, body: body.text }, length: end + 4 + body.length };
}

function bodyOf(
  headers: RawRequest['headers'],
  rest: string,
): { readonly text: string; readonly length: number } | undefined {
  const lengths = valuesOf({ headers }, 'content-length');
  const codings = valuesOf({ headers }, 'transfer-encoding');
  if (lengths.length + codings.length > 1) throw new Error('the framing of a request is ambiguous');
  if (codings[0] !== undefined && codings[0] !== 'chunked') throw new Error('unknown coding');
  if (codings.length > 0) {
    const end = rest.indexOf('0\r\n\r\n');
    return end === -1 ? undefined : { text: rest.slice(0, end), length: end + 5 };
  }
  const length = Number(lengths[0] ?? 0);
  return rest.length < length ? undefined : { text: rest.slice(0, length), length };
}

export function valuesOf({ headers }: Pick<RawRequest, 'headers'>, name: string): string[] {
  return headers.filter(([candidate]) => candidate === name).map(([, value]) => value);
}
