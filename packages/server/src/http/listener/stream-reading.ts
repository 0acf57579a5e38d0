import type { Http2SecureServer } from 'node:http2';
import type { TLSSocket } from 'node:tls';

/**
 * Buffers the input of paused HTTP/1.1 connections instead of losing it. Node pauses a connection and its parser when a
 * request begins while the previous response is not fully written. The parser reads TLS connections from their handles,
 * which deliver every record that is decrypted already, paused or not; a paused parser rejects it ("Parse Error:
 * Paused"), and the connection is destroyed without a response. A stream buffers its input while it is paused, and the
 * first 'data' listener makes Node read the connection as one, until it closes. Only connections that were paused pay
 * for that: a fifth more for reading a body (ADR 14).
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
