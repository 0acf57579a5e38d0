import type { Http2SecureServer } from 'node:http2';
import type { TLSSocket } from 'node:tls';

/**
 * Lets paused HTTP/1.1 connections keep what arrives, instead of losing it.
 *
 * Node pauses a connection and its parser when a request begins while the response before it is not written out yet.
 * The parser reads TLS connections from their handles, and those pass on every record that is decrypted already, paused
 * or not; a paused parser refuses it ("Parse Error: Paused"), and the connection is destroyed without a response. A stream
 * keeps what arrives while it is paused, and the first listener for data makes Node read the connection as one, for the
 * rest of its life. Only connections that were paused pay for that: a fifth more for reading a body (ADR 14).
 */
export function keepInputOfPaused(server: Http2SecureServer): void {
  // Runs behind Node's own listener, which attaches the parser.
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol !== 'h2') socket.once('pause', readAsStream);
  });
}

function readAsStream(this: TLSSocket): void {
  this.on('data', ignore);
  this.off('data', ignore);
}

function ignore(): void {}
