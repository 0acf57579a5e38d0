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

/** Fits users with hundreds of groups, whose identity arrives as that many header lines. */
const HEADER_BYTES_MAX = 1024 * 1024;
const HEADER_PAIRS_MAX = 5000;
/** As upstream: a client gets this many requests at once on one connection. */
const STREAMS_PER_SESSION_MAX = 250;
/**
 * What one connection may keep waiting, its answers among it. Node's own bound of 10 MB refuses the streams of a client
 * that asks for ten lists at once, as every controller does when it starts; a piece of an answer for each stream fits.
 */
const SESSION_MEGABYTES_MAX = 500;
/** As upstream: longer than clients and proxies keep idle connections, so that they close first. */
const IDLE_CONNECTION_MS = 90_000;
/** A client that vanished is noticed by its silence, also on a connection where nothing is sent. */
const PROBE_CONNECTION_MS = 15_000;

/** As upstream's ReadHeaderTimeout: a connection that has not sent the head of a request after this time is closed. */
const HEADER_TIMEOUT_MS = 32_000;
/** Connections are looked at this often, so much later one may be closed. */
const HEADER_CHECK_MS = 1_000;

/** While it closes, idle connections are looked for this often. */
const SWEEP_MS = 50;
/** A connection on which nothing was asked for so long is idle, too: clients make some ahead of their requests. */
const SILENT_MS = 500;

export interface ListenerOptions {
  readonly address: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly certificate: string;
  readonly privateKey: string;
  /** Sees every exchange and owns its outcome: it never rejects. */
  readonly serve: (exchange: Exchange) => void;
  /** A connection ended before TLS was agreed on. */
  readonly onHandshakeError?: () => void;
  /** New connections are closed by the system, because this process has too many. */
  readonly onOutOfFiles?: (error: Error) => void;
  /** Default: 32 seconds. */
  readonly headerTimeoutMs?: number;
}

export interface Listener {
  readonly port: number;
  /** New connections get this certificate; those that are open keep theirs. Throws when the pair is bad. */
  reload(pair: { readonly certificate: string; readonly privateKey: string }): void;
  /** Takes no more connections, lets exchanges under way finish for a while, then cuts them. */
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
    noDelay: true, // HTTP/1.1 on this kind of server would otherwise wait for acknowledgements
    // Certificates are asked for and looked at by the authenticators, each with its own CA pool.
    requestCert: true,
    rejectUnauthorized: false,
    maxHeaderSize: HEADER_BYTES_MAX,
    maxHeaderListPairs: HEADER_PAIRS_MAX,
    maxSessionMemory: SESSION_MEGABYTES_MAX,
    settings: {
      // nghttp2 takes at most nine frames of headers: only larger frames let a client use the whole bound.
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
  // Broken handshakes concern one client only; its socket is already gone.
  server.on('tlsClientError', () => options.onHandshakeError?.());
  const sessions = track<ServerHttp2Session>(server, 'session');
  const sockets = track<Socket>(server, 'secureConnection');
  const silent = trackSilent(server);
  await bind(server, options);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    reload({ certificate, privateKey }) {
      // Tried apart first: what is given to the server replaces everything it has, also when it is bad.
      const pair = { cert: certificate, key: privateKey, minVersion: settings.minVersion };
      createSecureContext(pair);
      server.setSecureContext(pair);
    },
    close: (graceMs) => closeServer(server, { sessions, sockets, silent }, graceMs),
  };
}

/**
 * Everything that happens on a connection belongs to it: an error that no handler caught then ends the connection it
 * came from, and not the process. TLS, HTTP/2 sessions and parsers are made by Node's own listeners for 'connection'.
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

/** HTTP/2 has no requests before its preface, and Node waits for that without end. */
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
  // Only the properties count: options of the same names are not read by servers of both protocols.
  Object.assign(server, { shouldUpgradeCallback: mayUpgrade, maxHeadersCount: HEADER_PAIRS_MAX });
  server.on('upgrade', serveUpgrade);
  // Nobody gets a tunnel: it is answered like any other request, and then the connection ends.
  server.on('connect', serveUpgrade);
  // A 'request' listener makes Node wrap every HTTP/2 stream in its HTTP/1.1-like objects, which
  // halves the throughput. Only HTTP/1.1 may come that way; streams come to us directly.
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
  // Resets concern one client only.
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

/** Connections of HTTP/1.1 without a request so far, with the time of their handshake. Node takes them for busy ones. */
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
  // Connections of HTTP/1.1 that were busy become idle one by one, and would be kept for their next request.
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
