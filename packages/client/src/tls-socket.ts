import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, checkServerIdentity, connect, type TLSSocket } from 'node:tls';
import type { Endpoint, TlsSettings } from './exchange.ts';

/** Finds a dead peer of an idle HTTP/1.1 connection, which has no pings of its own. */
const KEEP_ALIVE_MS = 30_000;

/** A connected socket, after its handshake when it has one. */
export async function openSocket(
  endpoint: Endpoint,
  options: { readonly alpn: readonly string[]; readonly timeoutMs: number },
): Promise<Socket | TLSSocket> {
  const { host, port } = endpoint;
  const settings = await endpoint.tls?.();
  const socket =
    settings === undefined
      ? connectTcp({ host, port })
      : connect({ host, port, ...tlsOptions(settings, host), ALPNProtocols: [...options.alpn] });
  socket.setNoDelay(true);
  socket.setKeepAlive(true, KEEP_ALIVE_MS);
  await connected(socket, {
    event: settings === undefined ? 'connect' : 'secureConnect',
    timeoutMs: options.timeoutMs,
  });
  return socket;
}

function connected(
  socket: Socket,
  { event, timeoutMs }: { event: 'connect' | 'secureConnect'; timeoutMs: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const error = new Error(`no connection within ${timeoutMs} ms`);
      socket.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
    }, timeoutMs);
    const settle = (finish: () => void): void => {
      clearTimeout(timer);
      socket.off(event, succeed).off('error', fail).off('close', closed);
      finish();
    };
    // Node loses a reset that came in during the handshake when the next user of the socket writes in the same
    // turn: an HTTP/2 session then waits for ever. One turn later the socket knows.
    const succeed = (): void =>
      void setImmediate(() => (socket.destroyed ? closed() : settle(resolve)));
    const fail = (error: Error): void => settle(() => reject(error));
    const closed = (): void => fail(new Error('the connection was closed during its handshake'));
    socket.once(event, succeed).once('error', fail).once('close', closed);
  });
}

function tlsOptions(settings: TlsSettings, host: string): ConnectionOptions {
  const { ca, cert, key, serverName, insecureSkipVerify = false } = settings;
  const name = serverName ?? host;
  return {
    minVersion: 'TLSv1.2',
    rejectUnauthorized: !insecureSkipVerify,
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    // An address cannot be asked for by name, but the certificate is still compared with it.
    ...(isIP(name) === 0 && { servername: name }),
    checkServerIdentity: (_host, certificate) => checkServerIdentity(name, certificate),
  };
}
