import type { Writable } from 'node:stream';
import { ClientDisconnected } from '../../request/connection-errors.ts';

/**
 * Writes and tells when to go on: at once (`undefined`), or when the reader has caught up. `taken` is called when the
 * bytes have left, and never when they cannot leave any more.
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
    const settle = (outcome: () => void) => {
      stream.off('drain', onDrain);
      stream.off('close', onClose);
      outcome();
    };
    const onDrain = () => settle(resolve);
    const onClose = () => settle(() => reject(new ClientDisconnected()));
    stream.on('drain', onDrain);
    stream.on('close', onClose);
  });
}
