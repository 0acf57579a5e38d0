import type { Duplex } from 'node:stream';

/**
 * What one side writes the other reads, no faster than it reads. When one of them is gone, so is the other, as upstream
 * does it. Resolves in every case.
 */
export function joinConnections(
  client: Duplex,
  server: Duplex,
  begin: Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => {
    signal.removeEventListener('abort', end);
    client.destroy();
    server.destroy();
    resolve();
  };
  for (const side of [client, server]) {
    // Resets come as 'error' first; what they mean is the same.
    side.on('error', () => {});
    side.once('close', end);
  }
  signal.addEventListener('abort', end, { once: true });
  client.write(begin);
  client.pipe(server);
  server.pipe(client);
  if (signal.aborted || client.destroyed || server.destroyed) end();
  return promise;
}
