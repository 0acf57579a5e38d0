import type { Readable } from 'node:stream';
import { GrowingBuffer } from './growing-buffer.ts';

/** Forwarding a smaller chunk costs more than copying it. */
export const SMALL_CHUNK_BYTES = 1024;
/**
 * Small chunks of one turn of the event loop that are forwarded at once: events of a watch are small, and few at a
 * time.
 */
const CHUNKS_PER_TURN = 16;
/** After so many chunks other connections get their turn. */
export const CHUNKS_BEFORE_PAUSE = 2000;

/**
 * Merges the small chunks that a stream gets in one turn of the event loop. A sender that writes one byte at a time
 * would otherwise cost an event, a write and a frame for each of them. `pause` makes the source pause until the next
 * turn, where it can.
 */
export function coalesceChunks(stream: Readable, pause?: () => void): void {
  const push = stream.push.bind(stream);
  const pending = new GrowingBuffer();
  let smallChunks = 0;
  const flush = (): void => {
    if (pending.length > 0) push(pending.take());
  };
  const endTurn = (): void => {
    smallChunks = 0;
    if (!stream.destroyed) flush();
  };
  stream.push = (chunk: Buffer | null) => {
    if (chunk === null || chunk.length >= SMALL_CHUNK_BYTES) {
      flush();
      return push(chunk);
    }
    smallChunks += 1;
    if (smallChunks === 1) setImmediate(endTurn);
    if (smallChunks <= CHUNKS_PER_TURN) return push(chunk);
    if (smallChunks === CHUNKS_BEFORE_PAUSE) pause?.();
    pending.add(chunk);
    return stream.readableLength + pending.length < stream.readableHighWaterMark;
  };
}
