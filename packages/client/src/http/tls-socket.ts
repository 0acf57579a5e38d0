import { connect as connectTcp, isIP, type Socket } from 'node:net';
import {
  type ConnectionOptions,
  checkServerIdentity,
  connect,
  type PeerCertificate,
  type TLSSocket,
} from 'node:tls';
import { asError, type ConnectionOwner, ownedBy } from './connection-owner.ts';
import type { Endpoint, TlsSettings } from './exchange.ts';
import { errorCode, reasonOf } from './transport-error.ts';

/** Detects a dead peer of an idle HTTP/1.1 connection, which has no pings. */
const KEEP_ALIVE_MS = 30_000;

export interface SocketOptions {
  readonly alpn: readonly string[];
  readonly timeoutMs: number;
  /** From the end of the TCP handshake; without it `timeoutMs` covers both. */
  readonly handshakeTimeoutMs?: number | undefined;
  /** Either side may end its own direction and still receive. */
  readonly allowHalfOpen?: boolean;
}

/** The step at which a connection attempt failed. */
export type DialStep = 'lookup' | 'connect' | 'handshake';

/** No connection was made; the server has seen no request. */
export class DialError extends Error {
  override readonly name = 'DialError';
  readonly step: DialStep;
  readonly code: string;

  constructor(step: DialStep, cause: unknown) {
    super(reasonOf(cause), { cause });
    this.step = step;
    this.code = errorCode(cause);
  }
}

/** A connected socket, after its handshake when it has one. Rejects with a DialError, or what `endpoint.tls` throws. */
export async function openSocket(
  endpoint: Endpoint,
  options: SocketOptions,
): Promise<Socket | TLSSocket> {
  const { host, port } = endpoint;
  const { allowHalfOpen = false } = options;
  const settings = await endpoint.tls?.();
  const open = (): Socket =>
    settings === undefined
      ? connectTcp({ host, port, allowHalfOpen })
      : connect({
          ...{ host, port, allowHalfOpen, ...tlsOptions(settings, host) },
          ALPNProtocols: [...options.alpn],
        });
  // Events of the socket belong to its own connection, and not to the request that opened it.
  const owner: ConnectionOwner = {
    name: `server ${host}:${port}`,
    end: (error) => void socket.destroy(asError(error)),
  };
  const socket: Socket = ownedBy(owner, open);
  socket.setNoDelay(true);
  socket.setKeepAlive(true, KEEP_ALIVE_MS);
  await connected(socket, {
    ...options,
    event: settings === undefined ? 'connect' : 'secureConnect',
    step: isIP(host) === 0 ? 'lookup' : 'connect',
  });
  return socket;
}

function connected(
  socket: Socket,
  options: SocketOptions & { event: 'connect' | 'secureConnect'; step: DialStep },
): Promise<void> {
  const { event, timeoutMs, handshakeTimeoutMs } = options;
  let { step } = options;
  return new Promise((resolve, reject) => {
    const limit = (milliseconds: number, missing: string): NodeJS.Timeout =>
      setTimeout(() => {
        const error = new Error(`no ${missing} within ${milliseconds} ms`);
        socket.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
      }, milliseconds);
    let timer = limit(timeoutMs, 'connection');
    const lookedUp = (error: Error | null): void => {
      if (error === null) step = 'connect';
    };
    const reached = (): void => {
      step = 'handshake';
      if (handshakeTimeoutMs === undefined) return;
      clearTimeout(timer);
      timer = limit(handshakeTimeoutMs, 'end of the TLS handshake');
    };
    const complete = (finish: () => void): void => {
      clearTimeout(timer);
      socket.off('lookup', lookedUp).off('connect', reached);
      socket.off(event, succeed).off('error', fail).off('close', closed);
      finish();
    };
    // Node loses a reset during the handshake when the socket is written in the same turn: an HTTP/2 session then waits
    // for ever. One turn later the socket knows.
    const succeed = (): void =>
      void setImmediate(() => (socket.destroyed ? closed() : complete(resolve)));
    const fail = (error: Error): void => complete(() => reject(new DialError(step, error)));
    const closed = (): void => fail(new Error('the connection was closed during its handshake'));
    socket.on('lookup', lookedUp).once('connect', reached);
    socket.once(event, succeed).once('error', fail).once('close', closed);
  });
}

function tlsOptions(settings: TlsSettings, host: string): ConnectionOptions {
  const { ca, cert, key, serverName, insecureSkipVerify = false, secureContext } = settings;
  const name = serverName ?? host;
  const check = settings.checkIdentity ?? checkServerIdentity;
  return {
    minVersion: 'TLSv1.2',
    rejectUnauthorized: !insecureSkipVerify,
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(secureContext !== undefined && { secureContext }),
    // SNI has no addresses, but the certificate is still compared with the address.
    ...(isIP(name) === 0 && { servername: name }),
    checkServerIdentity: (_host: string, certificate: PeerCertificate) => check(name, certificate),
  };
}
