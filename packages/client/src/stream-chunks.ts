import type { Readable } from 'node:stream';

const EVENTS = ['readable', 'end', 'close', 'error'] as const;

/**
 * What a stream has and gets. Node's own iterator takes a stream of HTTP/2 that has ended before anybody read it for one
 * that broke, although everything is there.
 */
export async function* streamChunks(stream: Readable): AsyncGenerator<Uint8Array> {
  let changed = Promise.withResolvers<void>();
  const wake = () => changed.resolve();
  for (const event of EVENTS) stream.on(event, wake);
  try {
    for (;;) {
      const chunk = stream.read() as Uint8Array | null;
      if (chunk !== null) {
        yield chunk;
        continue;
      }
      if (stream.errored) throw stream.errored;
      if (stream.readableEnded || stream.destroyed) return;
      await changed.promise;
      changed = Promise.withResolvers<void>();
    }
  } finally {
    for (const event of EVENTS) stream.off(event, wake);
    if (!stream.destroyed) stream.destroy();
  }
}
