import { Readable } from 'node:stream';
import { coalesceChunks, isIncomplete } from '@tributary/client/http';
import { type ApiRequest, ClientDisconnected } from '@tributary/server';
import { onRequestEnd } from '@tributary/server/request';

/** What a client sends along, for another server; undefined when there is nothing. */
export function streamBody(request: ApiRequest): Readable | undefined {
  if (!hasBody(request)) return undefined;
  const lent = detachBody(request.bodyStream());
  // A server may answer before it has read everything.
  onRequestEnd(request, () => lent.destroy());
  return lent;
}

/** Bodies up to here are read first: they can be sent again when a connection ends that did not deliver them. */
const SMALL_BODY_BYTES_MAX = 64 * 1024;

/** As `lentBody`, but a small body of known length is read first. Rejects when it breaks off. */
export async function requestBody(request: ApiRequest): Promise<Uint8Array | Readable | undefined> {
  const length = request.headers.get('content-length');
  const isSmall = length !== undefined && Number(length) <= SMALL_BODY_BYTES_MAX;
  const lent = streamBody(request);
  if (!isSmall || lent === undefined) return lent;
  const chunks: Uint8Array[] = [];
  for await (const chunk of lent as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function hasBody({ headers, bodyStream }: ApiRequest): boolean {
  const length = headers.get('content-length');
  if (length !== undefined) return Number(length) !== 0;
  if (headers.get('transfer-encoding') !== undefined) return true;
  // A body of HTTP/2 needs no word before it; without either word, HTTP/1.1 has none.
  const stream = bodyStream();
  return 'endAfterHeaders' in stream && stream.endAfterHeaders === false;
}

/**
 * A stream of its own: whoever reads it may destroy it when a connection breaks, and the client can still be answered
 * on the connection that the body came by.
 */
export function detachBody(source: Readable): Readable {
  let isFollowed = false;
  const onData = (chunk: Uint8Array) => {
    if (!lent.push(chunk)) source.pause();
  };
  const onEnd = () => {
    // What breaks off may look complete.
    if (isIncomplete(source)) lent.destroy(new ClientDisconnected());
    else lent.push(null);
  };
  const onClose = () => {
    if (!source.readableEnded) lent.destroy(new ClientDisconnected());
  };
  const lent = new Readable({
    read() {
      if (!isFollowed) source.on('data', onData).on('end', onEnd).on('close', onClose);
      isFollowed = true;
      if (source.destroyed && !source.readableEnded) onClose();
      else source.resume();
    },
    destroy(error, done) {
      source.off('data', onData).off('end', onEnd).off('close', onClose);
      // The rest is read and dropped: the next request on the connection comes behind it.
      if (isFollowed && !source.destroyed) source.resume();
      done(error);
    },
  });
  coalesceChunks(lent);
  // Its reader hears of it, if there still is one.
  lent.on('error', () => {});
  return lent;
}
