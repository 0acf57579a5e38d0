import type { Writable } from 'node:stream';
import { ClientDisconnected } from '../../request/connection-errors.ts';

/**
 * Writes with backpressure: undefined when the caller may go on at once, or a promise until the reader has caught up.
 * `taken` is called when the bytes were sent, and never when they cannot be sent any more.
 */
export function writeWithBackpressure(
  stream: Writable,
  chunk: Uint8Array,
  taken?: () => void,
): Promise<void> | undefined {
  if (stream.destroyed) return Promise.reject(new ClientDisconnected());
  const onWritten = taken && ((error?: Error | null) => (error ? undefined : taken()));
  if (stream.write(chunk, onWritten)) return undefined;
  return new Promise((resolve, reject) => {
    const finish = (outcome: () => void) => {
      stream.off('drain', onDrain);
      stream.off('close', onClose);
      outcome();
    };
    const onDrain = () => finish(resolve);
    const onClose = () => finish(() => reject(new ClientDisconnected()));
    stream.on('drain', onDrain);
    stream.on('close', onClose);
  });
}
