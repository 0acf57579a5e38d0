/** A small HTTPS server on the loopback interface whose responses a test scripts. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import {
  createPki,
  defer,
  eventually,
  type Pki,
  type TestScope,
} from '../../../test/harness/index.ts';
import type { ClientConfig } from '../src/index.ts';

export interface TestRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly httpVersion: string;
  /** The whole body as text. */
  body(): Promise<string>;
}

export interface TestResponse {
  /** A JSON document, or text unchanged, and the end. */
  send(status: number, body: unknown, headers?: Record<string, string>): void;
  /** Only the head; then `write` and `end`. */
  start(status: number, headers?: Record<string, string>): void;
  write(chunk: string | Uint8Array): boolean;
  /** Resolves when the client has taken what was written, or is gone. */
  drained(): Promise<void>;
  /** Resolves when what was written has been sent; over HTTP/2, when the client has it. */
  delivered(): Promise<void>;
  end(): void;
  /** Ends the response in the middle: the stream over HTTP/2, otherwise the connection. */
  cut(): void;
  /** Ends the whole connection. */
  cutConnection(): void;
  readonly closed: Promise<void>;
  readonly isClosed: boolean;
}

export type TestHandler = (request: TestRequest, response: TestResponse) => void | Promise<void>;

export interface TestServer {
  readonly url: string;
  readonly pki: Pki;
  /** A client configuration for this server as its admin. */
  readonly config: ClientConfig;
  readonly requests: TestRequest[];
  /** The number of connections so far. */
  connections(): number;
  openConnections(): number;
  /** The number of HTTP/2 pings so far. */
  pings(): number;
  /** Sends GOAWAY on every HTTP/2 connection. */
  goaway(): void;
  cutAll(): void;
  stop(): Promise<void>;
}

export interface TestServerOptions {
  /** The offered protocol; both by default. */
  readonly http?: '1.1' | '2';
  readonly pki?: Pki;
  readonly port?: number;
  readonly settings?: { readonly maxConcurrentStreams: number };
}

/** Created once for all servers of a process: keys take most of the time of a short test. */
let madePki: Pki | undefined;

function sharedPki(): Pki {
  madePki ??= createPki();
  return madePki;
}

export async function startTestServer(
  t: TestScope,
  handler: TestHandler,
  options: TestServerOptions = {},
): Promise<TestServer> {
  const pki = options.pki ?? sharedPki();
  const tls = {
    cert: pki.server.cert,
    key: pki.server.key,
    ca: pki.ca.cert,
    requestCert: true,
    rejectUnauthorized: false,
  };
  const requests: TestRequest[] = [];
  const serve = (
    incoming: IncomingMessage | Http2ServerRequest,
    outgoing: ServerResponse | Http2ServerResponse,
  ): void => {
    const request = readRequest(incoming);
    requests.push(request);
    incoming.on('error', () => undefined);
    outgoing.on('error', () => undefined);
    if ('stream' in incoming) incoming.stream.on('error', () => undefined);
    void runHandler(handler, request, responseTo(incoming, outgoing));
  };
  const server: Server | Http2SecureServer =
    options.http === '1.1'
      ? createServer(tls, serve)
      : createSecureServer(
          {
            ...tls,
            allowHTTP1: options.http === undefined,
            ...(options.settings !== undefined && { settings: options.settings }),
          },
          serve,
        );
  const track = trackConnections(server);
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `https://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    track.cutAll();
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  };
  defer(t, stop);
  return {
    url,
    pki,
    config: {
      server: url,
      ca: { pem: pki.ca.cert },
      identity: {
        certificate: {
          certificate: { pem: pki.admin.cert },
          key: { pem: pki.admin.key },
        },
      },
      namespace: 'default',
    },
    requests,
    ...track,
    stop,
  };
}

/** A handler that fails leaves its request without a response, so the reason is printed. */
async function runHandler(
  handler: TestHandler,
  request: TestRequest,
  response: TestResponse,
): Promise<void> {
  try {
    await handler(request, response);
  } catch (error) {
    const text = error instanceof Error ? error.stack : String(error);
    process.stderr.write(`the handler of the test server failed: ${text}\n`);
  }
}

function readRequest(incoming: IncomingMessage | Http2ServerRequest): TestRequest {
  const url = new URL(incoming.url ?? '/', 'https://localhost');
  return {
    method: incoming.method ?? '',
    path: url.pathname,
    query: url.searchParams,
    headers: incoming.headers,
    httpVersion: incoming.httpVersion,
    body: async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk);
      return Buffer.concat(chunks).toString('utf8');
    },
  };
}

function responseTo(
  incoming: IncomingMessage | Http2ServerRequest,
  outgoing: ServerResponse | Http2ServerResponse,
): TestResponse {
  const closed = Promise.withResolvers<void>();
  let isClosed = false;
  outgoing.once('close', () => {
    isClosed = true;
    closed.resolve();
  });
  // Both kinds have the same methods, but their types do not know.
  const response = outgoing as ServerResponse;
  const socket = (): Socket | undefined =>
    ('stream' in incoming ? incoming.stream.session?.socket : incoming.socket) ?? undefined;
  return {
    closed: closed.promise,
    get isClosed() {
      return isClosed;
    },
    send(status, body, headers = {}) {
      const type = typeof body === 'string' ? 'text/plain' : 'application/json';
      response.writeHead(status, { 'content-type': type, ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    },
    start(status, headers = {}) {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      if ('stream' in incoming) return;
      response.flushHeaders();
    },
    write: (chunk) => !isClosed && response.write(chunk),
    drained: () =>
      Promise.race([
        new Promise<void>((resolve) => response.once('drain', resolve)),
        closed.promise,
      ]),
    delivered: async () => {
      const session = 'stream' in incoming ? incoming.stream.session : undefined;
      // The response to a ping comes after everything that was sent before the ping.
      if (session !== undefined)
        await new Promise<void>((resolve) => session.ping(() => resolve()));
      else await eventually('the socket is empty', () => socket()?.writableLength === 0);
    },
    end: () => void response.end(),
    // Without an error Node ends the stream properly before it resets it.
    cut() {
      if ('stream' in incoming) incoming.stream.destroy(new Error('cut'));
      else socket()?.destroy();
    },
    // The socket of a session is a stand-in that refuses to be destroyed; the session is not.
    cutConnection() {
      if ('stream' in incoming) incoming.stream.session?.destroy();
      else socket()?.destroy();
    },
  };
}

function trackConnections(
  server: Server | Http2SecureServer,
): Pick<TestServer, 'connections' | 'openConnections' | 'pings' | 'goaway' | 'cutAll'> {
  const sockets = new Set<Socket>();
  const sessions = new Set<ServerHttp2Session>();
  let connections = 0;
  let pings = 0;
  server.on('secureConnection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  server.on('session', (session: ServerHttp2Session) => {
    sessions.add(session);
    session.on('ping', () => {
      pings += 1;
    });
    session.once('close', () => sessions.delete(session));
    session.on('error', () => undefined);
  });
  server.on('tlsClientError', () => undefined);
  server.on('sessionError', () => undefined);
  return {
    connections: () => connections,
    openConnections: () => sockets.size,
    pings: () => pings,
    goaway: () => {
      for (const session of sessions) session.goaway(0);
    },
    cutAll: () => {
      for (const session of sessions) session.destroy();
      for (const socket of sockets) socket.destroy();
    },
  };
}
