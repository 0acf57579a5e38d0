import type { TLSSocket } from 'node:tls';
import type { Peer } from '../pipeline.ts';

/** All requests of a connection have the same peer, and reading a certificate is not free. */
const peers = new WeakMap<object, Peer>();

/** `connection` is what stays the same over its requests: the socket, or the HTTP/2 session. */
export function peerOf(socket: TLSSocket, connection: object): Peer {
  let peer = peers.get(connection);
  if (peer === undefined) {
    const certificate = socket.getPeerX509Certificate()?.raw;
    peer = { address: socket.remoteAddress ?? '', certificate };
    peers.set(connection, peer);
  }
  return peer;
}
