/** Real TLS servers, good and bad, and a backend that is connected to them. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSecureServer, type Http2SecureServer, type SecureServerOptions } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { type Clock, systemClock } from '@tributary/client';
import { MetricsRegistry } from '@tributary/server/operations';
import { createAuthority } from '@tributary/server/pki';
import { defer, type TestScope } from '../../../test/harness/index.ts';
import {
  type Backend,
  BackendFailure,
  type BackendRequest,
  type BackendResponse,
  type Backends,
} from '../src/backend/backend.ts';
import {
  type BackendConfig,
  type BackendLimits,
  type BackendServer,
  defaultBackendLimits,
} from '../src/backend/backend-config.ts';
import { backendMetrics } from '../src/backend/backend-metrics.ts';
import { type BackendsOptions, openBackends } from '../src/backend/open-backends.ts';
import type { Target, Targets } from '../src/backend/target.ts';

export const SERVER_NAME = 'wardle.eu.svc';

/** One authority for all tests of a file: making one is slow. */
export const authority = createAuthority('servers');
export const frontProxy = createAuthority('front-proxy');
export const frontProxyClient = frontProxy.issue({ commonName: 'aggregator', usage: 'client' });
export const serving = authority.issue({
  commonName: 'ignored',
  usage: 'server',
  names: [SERVER_NAME],
});

export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export interface TestBackend {
  readonly port: number;
  readonly target: Target;
  /** The number of connections made so far. */
  connections(): number;
  openConnections(): number;
  readonly server: Http2SecureServer | Server;
  cutAll(): void;
  stop(): Promise<void>;
}

export interface TestBackendOptions extends SecureServerOptions {
  readonly http?: '1.1' | '2';
  readonly port?: number;
}

/** HTTP/2 by default. */
export async function startBackend(
  t: TestScope,
  handler: Handler,
  { http = '2', port = 0, ...options }: TestBackendOptions = {},
): Promise<TestBackend> {
  const tls: SecureServerOptions = {
    ...{ cert: serving.cert, key: serving.key, ca: frontProxy.cert },
    ...{ requestCert: true, rejectUnauthorized: false, maxHeaderListPairs: 6000 },
    ...options,
  };
  const serve: Handler = (request, response) => {
    request.on('error', () => {});
    response.on('error', () => {});
    return handler(request, response);
  };
  const server =
    http === '1.1'
      ? createHttpsServer({ ...tls, maxHeaderSize: 2 ** 21 }, serve as never)
      : createSecureServer({ ...tls, allowHTTP1: true, ...BIG_HTTP1 }, serve as never);
  // Only properties count. An idle connection stays until this side closes it, however long that takes.
  Object.assign(server, { maxHeadersCount: 0, keepAliveTimeout: 0 });
  return listen(t, server as Http2SecureServer, port);
}

const BIG_HTTP1 = { maxHeaderSize: 2 ** 21 } as object;

/** Writes any bytes after the handshake. */
export function startRawBackend(
  t: TestScope,
  onSocket: (socket: TLSSocket) => void,
  alpn: readonly string[] = ['http/1.1'],
): Promise<TestBackend> {
  const { cert, key } = serving;
  const server = createTlsServer({ cert, key, ALPNProtocols: [...alpn], allowHalfOpen: true });
  server.on('secureConnection', onSocket);
  return listen(t, server, 0);
}

async function listen(
  t: TestScope,
  server: Http2SecureServer | Server,
  port: number,
): Promise<TestBackend> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  });
  server.on('secureConnection', (socket: Socket) => socket.on('error', () => {}));
  server.on('session', (session: Socket) => session.on('error', () => {}));
  server.on('tlsClientError', () => {});
  server.on('sessionError', () => {});
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const cutAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const stop = async (): Promise<void> => {
    cutAll();
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  };
  defer(t, stop);
  const used = (server.address() as AddressInfo).port;
  return {
    port: used,
    target: { host: '127.0.0.1', port: used, serverName: SERVER_NAME },
    connections: () => connections,
    openConnections: () => sockets.size,
    server,
    cutAll,
    stop,
  };
}

export function registrationOf(
  remote: Partial<Omit<BackendConfig, 'limits'>> & { limits?: Partial<BackendLimits> } = {},
): BackendServer {
  return {
    name: 'v1.wardle.example.com',
    uid: 'u',
    remote: {
      service: { namespace: 'eu', name: 'wardle', port: 443 },
      url: undefined,
      caBundle: authority.cert,
      insecureSkipTlsVerify: false,
      ...remote,
      limits: { ...defaultBackendLimits, ...remote.limits },
    },
  };
}

export type Evidence = { readonly failure: BackendFailure | undefined; readonly target?: unknown };

export interface TestBackends {
  readonly backends: Backends;
  readonly backend: Backend;
  readonly evidence: Evidence[];
  readonly metrics: ReturnType<typeof backendMetrics>;
}

export function connectTo(
  t: TestScope,
  targets: readonly Target[] | (() => Targets),
  options: Partial<BackendsOptions> & {
    remote?: Parameters<typeof registrationOf>[0];
    clock?: Clock;
  } = {},
): TestBackends {
  const { remote, ...rest } = options;
  const evidence: Evidence[] = [];
  const metrics = backendMetrics();
  const backends = openBackends({
    findTargets: typeof targets === 'function' ? targets : () => ({ targets }),
    identity: () => frontProxyClient,
    onEvidence: (_server, outcome) => evidence.push(outcome),
    clock: systemClock,
    metrics,
    ...rest,
  });
  defer(t, () => backends.close());
  return { backends, backend: backends.of(registrationOf(remote)), evidence, metrics };
}

/** How many there are by the figures: one that was given up ends a moment later. */
export function underWay(
  metrics: TestBackends['metrics'],
  gauge: 'requests_in_flight' | 'watches',
): number {
  const registry = new MetricsRegistry();
  metrics.register(registry);
  const line = new RegExp(`^tributary_backend_${gauge}\\{[^}]+\\} (\\d+)$`, 'm');
  return Number(line.exec(registry.text())?.[1]);
}

export function get(path = '/', more: Partial<BackendRequest> = {}): BackendRequest {
  return {
    ...{ method: 'GET', path, headers: [], body: undefined, use: 'request' },
    signal: new AbortController().signal,
    ...more,
  };
}

export async function text({ body }: Pick<BackendResponse, 'body'>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

export async function failureOf(work: Promise<unknown>): Promise<BackendFailure> {
  try {
    await work;
  } catch (error) {
    if (error instanceof BackendFailure) return error;
    throw error;
  }
  throw new Error('there was an response');
}

/** Gives its pieces one at a time. */
export function pieces(...chunks: readonly (string | Buffer)[]): Readable {
  return Readable.from(
    chunks.map((chunk) => Buffer.from(chunk as string)),
    { objectMode: false },
  );
}
