/** Servers that have another server's certificate, and nothing of its manners. */
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTlsServer, type Server } from 'node:tls';
import { defer, type KeyPair, type TestScope } from '../harness/index.ts';

/** `well` answers every request, and is refused only for its certificate. */
export type Behaviour = 'garbage' | 'redirecting' | 'endless' | 'well';

const CHUNK = Buffer.alloc(16 * 1024, '{"items":[{},');

/** 200, of the type that was asked for, and no end; as fast as it is read. */
const endless: RequestListener = (request, response) => {
  const [type = 'application/json'] = request.headers.accept?.split(',') ?? [];
  response.writeHead(200, { 'content-type': type });
  const pour = (): void => {
    while (!response.destroyed && response.write(CHUNK));
  };
  response.on('drain', pour);
  pour();
};

const redirecting: RequestListener = (request, response) => {
  response.writeHead(302, { location: `https://127.0.0.1:1${request.url}` }).end();
};

const well: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
};

/** No HTTP of any version, whatever is said. */
function garbage(serving: KeyPair): Server {
  return createTlsServer(serving, (socket) => {
    socket.on('error', () => socket.destroy()); // The client has left.
    socket.on('data', () => socket.write('\u0000\u0001 you would not understand\r\n\r\n'));
  });
}

const servers: Readonly<Record<Behaviour, (serving: KeyPair) => Server>> = {
  endless: (serving) => createServer(serving, endless),
  redirecting: (serving) => createServer(serving, redirecting),
  well: (serving) => createServer(serving, well),
  garbage,
};

/** The port where it listens, until the scope ends. */
export async function startImpostor(
  scope: TestScope,
  behaviour: Behaviour,
  serving: KeyPair,
): Promise<number> {
  const server = servers[behaviour](serving);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)));
  });
  server.on('tlsClientError', () => undefined); // The client does not believe it.
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  defer(scope, () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
