import type { Duplex } from 'node:stream';
import { ClientDisconnected } from '@tributary/server';

/** A side that is gone leaves bytes behind; the other side gets this long to take them. */
const DRAIN_MS = 10_000;

export interface TunnelOptions {
  /** What the server wrote before its protocol begins. */
  readonly head: Uint8Array;
  /** The server is stopping. */
  readonly signal: AbortSignal;
  readonly drainMs?: number;
}

/**
 * Joins two connections until both have ended: what one side writes the other reads, no faster than it reads, and an
 * end goes on as an end of that direction alone. Idle connections are never cut. Resolves in every case.
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
    if (signal.reason instanceof ClientDisconnected) return; // 'close' tells how it went
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
    const settle = () => {
      onClose();
      resolve();
    };
    // Resets come as 'error' first; what they mean is the same.
    connection.on('error', () => {});
    if (connection.closed) settle();
    else connection.once('close', settle);
  });
}

/** One side is closed altogether. */
function followTo(gone: Duplex, other: Duplex, drainMs: number): void {
  if (other.destroyed) return;
  // Cut off in the middle: the other side must not take that for an end.
  if (!gone.readableEnded) other.destroy();
  else leave(other, drainMs);
}

/** Nobody reads what it says any more; it gets what it has not read yet, for a while. */
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
