import type { Http2Session } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { Peer } from '../../request/pipeline.ts';

/** One peer for all requests of a connection, because reading its certificate is expensive. */
const peers = new WeakMap<object, Peer>();

/** `connection` is the same for all its requests: the socket, or the HTTP/2 session, which can be retired. */
export function peerOf(socket: TLSSocket, connection: TLSSocket | Http2Session): Peer {
  let peer = peers.get(connection);
  if (peer === undefined) {
    const certificate = socket.getPeerX509Certificate()?.raw;
    peer = { address: socket.remoteAddress ?? '', certificate, ...retirement(connection) };
    peers.set(connection, peer);
  }
  return peer;
}

function retirement(connection: TLSSocket | Http2Session): Pick<Peer, 'goAway'> {
  return 'goaway' in connection ? { goAway: () => connection.close() } : {};
}
