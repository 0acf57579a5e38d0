import type { Duplex } from 'node:stream';
import { ClientDisconnected } from '@tributary/server';

/** Bytes that a closed side has left have this long to reach the other side. */
const DRAIN_MS = 10_000;

export interface TunnelOptions {
  /** Status line and headers of the server. */
  readonly head: Uint8Array;
  /** The server is stopping. */
  readonly signal: AbortSignal;
  readonly drainMs?: number;
}

/**
 * Joins two connections until both have ended, with backpressure in both directions; an end of one direction ends that
 * direction alone. Idle connections are never closed. Never rejects.
 */
export function joinConnections(
  client: Duplex,
  server: Duplex,
  { head, signal, drainMs = DRAIN_MS }: TunnelOptions,
): Promise<void> {
  client.allowHalfOpen = true;
  server.allowHalfOpen = true;
  client.write(head);
  const stop = () => {
    if (signal.reason instanceof ClientDisconnected) return; // 'close' shows how it ended
    leave(client, drainMs);
    leave(server, drainMs);
  };
  signal.addEventListener('abort', stop, { once: true });
  client.pipe(server);
  server.pipe(client);
  const closed = Promise.all([
    whenClosed(client, () => followTo(client, server, drainMs)),
    whenClosed(server, () => followTo(server, client, drainMs)),
  ]);
  if (signal.aborted) stop();
  return closed.then(() => signal.removeEventListener('abort', stop));
}

function whenClosed(connection: Duplex, onClose: () => void): Promise<void> {
  return new Promise((resolve) => {
    const onClosed = () => {
      onClose();
      resolve();
    };
    // A reset is an 'error' first, and then a 'close'.
    connection.on('error', () => {});
    if (connection.closed) onClosed();
    else connection.once('close', onClosed);
  });
}

/** Ends the other side after one was closed. */
function followTo(gone: Duplex, other: Duplex, drainMs: number): void {
  if (other.destroyed) return;
  // A side that was cut off must not look like one that ended.
  if (!gone.readableEnded) other.destroy();
  else leave(other, drainMs);
}

/** Ends a connection after it has read what it was sent, within a limit. */
function leave(connection: Duplex, drainMs: number): void {
  if (connection.destroyed) return;
  connection.unpipe();
  connection.resume();
  connection.end();
  if (connection.writableFinished) {
    connection.destroy();
    return;
  }
  const timer = setTimeout(() => connection.destroy(), drainMs);
  connection.once('finish', () => connection.destroy());
  connection.once('close', () => clearTimeout(timer));
}
