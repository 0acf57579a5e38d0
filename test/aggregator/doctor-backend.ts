/** A server that is well or broken in one way, for the doctor. */
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { defer, type KeyPair, type TestScope } from '../harness/index.ts';
import { GROUP } from './registration-objects.ts';

/** The faults of a test server, until its restart. */
export type Manner =
  | 'well'
  | 'silent'
  | 'plain'
  | 'mute'
  | 'redirect'
  | 'html'
  | 'stranger'
  | 'no-openapi';

export interface Backend {
  readonly port: number;
  restart(change?: { pair?: KeyPair; manner?: Manner }): Promise<void>;
  stop(): Promise<void>;
}

/** A server at one port, which each start may make another one. */
export async function startBackend(scope: TestScope, good: KeyPair): Promise<Backend> {
  let running = await listen(serverOf(good, 'well'), 0);
  const { port } = running.server.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    for (const socket of running.sockets) socket.destroy();
    await new Promise((resolve) => running.server.close(resolve));
  };
  defer(scope, stop);
  return {
    port,
    stop,
    restart: async ({ pair = good, manner = 'well' } = {}) => {
      await stop();
      running = await listen(serverOf(pair, manner), port);
    },
  };
}

async function listen(server: Server, port: number) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined); // The doctor closes its connections early.
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { server, sockets };
}

function serverOf(pair: KeyPair, manner: Manner): Server {
  if (manner === 'silent') return createTcpServer(() => undefined);
  const result = responderOf(manner);
  if (manner === 'plain') return createHttpServer(result) as unknown as Server;
  return createServer({ ...pair, requestCert: true, rejectUnauthorized: false }, result);
}

type Responder = NonNullable<Parameters<typeof createHttpServer>[1]>;

function responderOf(manner: Manner): Responder {
  const documents: Readonly<Record<string, string>> = {
    [`/apis/${GROUP}/v1alpha1`]: JSON.stringify({
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: `${GROUP}/v1alpha1`,
      resources: [],
    }),
    '/openapi/v2': JSON.stringify({
      swagger: '2.0',
      info: { title: 't', version: '1' },
      paths: {},
    }),
  };
  return ({ url = '' }, response) => {
    if (manner === 'mute') return;
    if (manner === 'redirect') {
      response.writeHead(302, { location: '/login' }).end();
      return;
    }
    if (manner === 'html') {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>');
      return;
    }
    const isDamaged = manner === 'no-openapi' && url.startsWith('/openapi/');
    const body = isDamaged ? '{' : manner === 'stranger' ? undefined : documents[url];
    const head = { 'content-type': 'application/json' };
    response.writeHead(body === undefined ? 404 : 200, head).end(body ?? '{}');
  };
}
