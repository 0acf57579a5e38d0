import { write } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Destination } from './line-writer.ts';

/** Retry interval of a full pipe. */
const FULL_PIPE_MS = 10;

/** Standard output or error, written off the main thread: a pipe without a reader would block the process. */
export function descriptorDestination(descriptor: 1 | 2): Destination {
  async function writeBytes(bytes: Uint8Array): Promise<void> {
    let rest = bytes;
    while (rest.length > 0) {
      const written = await writeSome(descriptor, rest);
      rest = rest.subarray(written);
      if (written === 0) await sleep(FULL_PIPE_MS, undefined, { ref: false });
    }
  }
  return {
    write: (text) => writeBytes(Buffer.from(text)),
    writeBytes,
    // The descriptor belongs to the process.
    close: async () => {},
  };
}

function writeSome(descriptor: number, bytes: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    write(descriptor, bytes, (error, written) => {
      if (error === null) resolve(written);
      else if (error.code === 'EAGAIN') resolve(0);
      else reject(error);
    });
  });
}
