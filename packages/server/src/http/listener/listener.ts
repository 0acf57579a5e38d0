import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { createSecureContext, type TLSSocket } from 'node:tls';
import { asError, type ConnectionOwner, nodeHttp, ownedBy } from '@tributary/client/http';
import type { Exchange } from './exchange.ts';
import { Http1Exchange } from './http1.ts';
import { Http2Exchange } from './http2.ts';
import { isNearLimit, OutOfOpenFiles, openFilesMax } from './open-files.ts';
import { requestProblem } from './request-line.ts';
import { keepInputOfPaused } from './stream-reading.ts';
import { mayUpgrade, UpgradeExchange } from './upgrade.ts';

/** Enough for users with hundreds of groups, each of which is a header. */
const HEADER_BYTES_MAX = 1024 * 1024;
const HEADER_PAIRS_MAX = 5000;
/** As upstream: concurrent requests on one connection. */
const STREAMS_PER_SESSION_MAX = 250;
/**
 * Memory of one connection, pending responses included. Node's limit of 10 MB rejects streams of a client that sends
 * ten lists at once, as every controller does when it starts; with this one a chunk for each stream fits.
 */
const SESSION_MEGABYTES_MAX = 500;
/** As upstream: longer than clients and proxies keep idle connections, so that they close first. */
const IDLE_CONNECTION_MS = 90_000;
/** Detects a client that vanished on a connection where nothing is sent. */
const PROBE_CONNECTION_MS = 15_000;

/** As upstream's ReadHeaderTimeout: a connection is closed when the header of a request is not complete in time. */
const HEADER_TIMEOUT_MS = 32_000;
/** The interval of that check, and so its imprecision. */
const HEADER_CHECK_MS = 1_000;

/** The interval at which idle connections are closed during shutdown. */
const SWEEP_MS = 50;
/** A connection without a request for this time is idle, too: clients open some in advance. */
const SILENT_MS = 500;

interface ListenerOptions {
  readonly address: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly certificate: string;
  readonly privateKey: string;
  /** Called for every exchange; handles every error itself. */
  readonly serve: (exchange: Exchange) => void;
  /** A TLS handshake failed. */
  readonly onHandshakeError?: () => void;
  /** The system closes new connections, because the process has too many open files. */
  readonly onOutOfFiles?: (error: Error) => void;
  /** Default: 32 seconds. */
  readonly headerTimeoutMs?: number;
}

export interface Listener {
  readonly port: number;
  /** Replaces the certificate of new connections. Throws for an invalid pair. */
  reload(pair: { readonly certificate: string; readonly privateKey: string }): void;
  /** Accepts no more connections, lets exchanges in flight finish for a while, then closes them. */
  close(graceMs: number): Promise<void>;
}

/** One TLS port for HTTP/2 and HTTP/1.1. */
export async function listen(options: ListenerOptions): Promise<Listener> {
  const { headerTimeoutMs = HEADER_TIMEOUT_MS } = options;
  const settings = {
    allowHTTP1: true,
    handshakeTimeout: headerTimeoutMs,
    headersTimeout: headerTimeoutMs,
    connectionsCheckingInterval: Math.min(HEADER_CHECK_MS, headerTimeoutMs),
    cert: options.certificate,
    key: options.privateKey,
    minVersion: 'TLSv1.2',
    keepAliveTimeout: IDLE_CONNECTION_MS,
    keepAlive: true,
    keepAliveInitialDelay: PROBE_CONNECTION_MS,
    noDelay: true, // HTTP/1.1 would otherwise wait for acknowledgements
    // Client certificates are requested here and verified by the authenticators, each with its own CA pool.
    requestCert: true,
    rejectUnauthorized: false,
    maxHeaderSize: HEADER_BYTES_MAX,
    maxHeaderListPairs: HEADER_PAIRS_MAX,
    maxSessionMemory: SESSION_MEGABYTES_MAX,
    settings: {
      // nghttp2 accepts at most nine header frames: only larger frames let a client use the whole limit.
      maxFrameSize: HEADER_BYTES_MAX,
      maxConcurrentStreams: STREAMS_PER_SESSION_MAX,
      maxHeaderListSize: HEADER_BYTES_MAX,
    },
  } as const;
  const server = createSecureServer(settings);
  ownConnections(server, options);
  limitPreface(server, headerTimeoutMs);
  serveBothProtocols(server, options.serve);
  keepInputOfPaused(server);
  // A failed handshake affects one client only; its socket is already closed.
  server.on('tlsClientError', () => options.onHandshakeError?.());
  const sessions = track<ServerHttp2Session>(server, 'session');
  const sockets = track<Socket>(server, 'secureConnection');
  const silent = trackSilent(server);
  await bind(server, options);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    reload({ certificate, privateKey }) {
      // Validated separately first, because the server would be left without a certificate.
      const pair = { cert: certificate, key: privateKey, minVersion: settings.minVersion };
      createSecureContext(pair);
      server.setSecureContext(pair);
    },
    close: (graceMs) => closeServer(server, { sessions, sockets, silent }, graceMs),
  };
}

/**
 * Runs everything on a connection in its async context, so that an uncaught error closes this connection instead of
 * ending the process. Node's own listeners for 'connection' create TLS, HTTP/2 sessions and parsers.
 */
function ownConnections(server: Http2SecureServer, { onOutOfFiles }: ListenerOptions): void {
  const max = openFilesMax();
  const accept = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const owner: ConnectionOwner = {
      name: `client ${socket.remoteAddress}:${socket.remotePort}`,
      end: (error) => void socket.destroy(asError(error)),
    };
    if (isNearLimit(socket, max)) onOutOfFiles?.(new OutOfOpenFiles(max));
    ownedBy(owner, () => {
      for (const listener of accept) listener.call(server, socket);
    });
  });
}

/** HTTP/2 has no requests before its preface, for which Node waits forever. */
function limitPreface(server: Http2SecureServer, timeoutMs: number): void {
  server.on('session', (session: ServerHttp2Session) => {
    const timer = setTimeout(() => session.destroy(), timeoutMs).unref();
    const stop = () => clearTimeout(timer);
    session.once('remoteSettings', stop).once('close', stop);
  });
}

function serveBothProtocols(
  server: Http2SecureServer,
  serveExchange: (exchange: Exchange) => void,
): void {
  const serve = (exchange: Http1Exchange, request: IncomingMessage) => {
    const problem = requestProblem(request);
    if (problem === undefined) serveExchange(exchange);
    else exchange.refuse(problem);
  };
  const serveUpgrade = (request: IncomingMessage, socket: Socket, head: Buffer) =>
    serve(new UpgradeExchange(request, socket, head), request);
  server.on('request', (given, response) => {
    const request = given as unknown as IncomingMessage;
    serve(new Http1Exchange(request, response as unknown as ServerResponse), request);
  });
  // Only the properties count: servers of both protocols do not read the options of the same names.
  Object.assign(server, { shouldUpgradeCallback: mayUpgrade, maxHeadersCount: HEADER_PAIRS_MAX });
  server.on('upgrade', serveUpgrade);
  // No tunnels: CONNECT gets a response like any other request, and then the connection is closed.
  server.on('connect', serveUpgrade);
  // A 'request' listener makes Node wrap every HTTP/2 stream in its HTTP/1.1 compatibility objects, which halves the
  // throughput. Only HTTP/1.1 may use it; the streams of HTTP/2 are handled directly.
  server.removeAllListeners('stream');
  server.on(
    'stream',
    (
      stream: ServerHttp2Stream,
      headers: IncomingHttpHeaders,
      _flags: number,
      rawHeaders: readonly string[],
    ) => serveExchange(new Http2Exchange(stream, headers, rawHeaders)),
  );
  // A reset affects one client only.
  server.on('sessionError', () => {});
}

function bind(server: Http2SecureServer, { port, address }: ListenerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function track<T extends { once(event: 'close', listener: () => void): unknown }>(
  server: Http2SecureServer,
  event: string,
): ReadonlySet<T> {
  const open = new Set<T>();
  server.on(event, (resource: T) => {
    open.add(resource);
    resource.once('close', () => open.delete(resource));
  });
  return open;
}

/** HTTP/1.1 connections without a request so far, with the time of their handshake. Node takes them for busy ones. */
function trackSilent(server: Http2SecureServer): ReadonlyMap<Socket, number> {
  const silent = new Map<Socket, number>();
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol === 'h2') return;
    silent.set(socket, performance.now());
    socket.once('close', () => silent.delete(socket));
  });
  const hasSpoken = ({ socket }: IncomingMessage): void => void silent.delete(socket);
  server.on('request', hasSpoken as never);
  server.on('upgrade', hasSpoken);
  return silent;
}

async function closeServer(
  server: Http2SecureServer,
  {
    sessions,
    sockets,
    silent,
  }: {
    readonly sessions: ReadonlySet<ServerHttp2Session>;
    readonly sockets: ReadonlySet<Socket>;
    readonly silent: ReadonlyMap<Socket, number>;
  },
  graceMs: number,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const session of sessions) session.close();
  // Busy HTTP/1.1 connections become idle one by one, and would be held open for their next request.
  const { closeIdleConnections } = nodeHttp().Server.prototype;
  const sweep = setInterval(() => {
    closeIdleConnections.call(server);
    const before = performance.now() - SILENT_MS;
    for (const [socket, since] of silent) if (since < before) socket.destroy();
  }, SWEEP_MS);
  const cut = setTimeout(() => {
    for (const session of sessions) session.destroy();
    for (const socket of sockets) socket.destroy();
  }, graceMs);
  try {
    await closed;
  } finally {
    clearTimeout(cut);
    clearInterval(sweep);
  }
}
