import type { Writable } from 'node:stream';

/**
 * Writes and tells when to go on: at once (`undefined`), or when the reader has caught up. `taken` is called when the
 * bytes have left, and never when they cannot leave any more.
 */
export function writeWithBackpressure(
  stream: Writable,
  chunk: Uint8Array,
  taken?: () => void,
): Promise<void> | undefined {
  if (stream.destroyed) return Promise.reject(new ClientGone());
  const onWritten = taken && ((error?: Error | null) => (error ? undefined : taken()));
  if (stream.write(chunk, onWritten)) return undefined;
  return new Promise((resolve, reject) => {
    const settle = (outcome: () => void) => {
      stream.off('drain', onDrain);
      stream.off('close', onClose);
      outcome();
    };
    const onDrain = () => settle(resolve);
    const onClose = () => settle(() => reject(new ClientGone()));
    stream.on('drain', onDrain);
    stream.on('close', onClose);
  });
}

/** Another server began an answer that was passed on, and did not end it. The client's connection breaks, too. */
export class AnswerBroken extends Error {
  override readonly name = 'AnswerBroken';

  constructor(cause: unknown) {
    super('the server that was asked did not complete its answer', { cause });
  }
}

/** The other side closed the connection: nobody is left to be answered. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';

  constructor() {
    super('the client closed the connection');
  }
}
