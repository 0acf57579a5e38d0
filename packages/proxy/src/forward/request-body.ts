import { Readable } from 'node:stream';
import { coalesceChunks, isIncomplete } from '@tributary/client/http';
import { type ApiRequest, ClientDisconnected } from '@tributary/server';
import { onRequestEnd } from '@tributary/server/request';

/** The body of a request as a stream; undefined for none. */
export function streamBody(request: ApiRequest): Readable | undefined {
  if (!hasBody(request)) return undefined;
  const lent = detachBody(request.bodyStream());
  // A server may respond before it has read everything.
  onRequestEnd(request, () => lent.destroy());
  return lent;
}

/** Bodies up to this size are read first: they can be sent again when a connection ends without delivering them. */
const SMALL_BODY_BYTES_MAX = 64 * 1024;

/** Like `streamBody`, but reads a small body of known length. Rejects when it breaks off. */
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
  // HTTP/2 does not announce a body; HTTP/1.1 has none without either header.
  const stream = bodyStream();
  return 'endAfterHeaders' in stream && stream.endAfterHeaders === false;
}

/**
 * A separate stream, which its reader may destroy when a connection breaks; the client can still get a response on the
 * connection of its body.
 */
export function detachBody(source: Readable): Readable {
  let isFollowed = false;
  const onData = (chunk: Uint8Array) => {
    if (!lent.push(chunk)) source.pause();
  };
  const onEnd = () => {
    // A body that breaks off may look complete.
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
      // Discards the rest: the next request of the connection follows it.
      if (isFollowed && !source.destroyed) source.resume();
      done(error);
    },
  });
  coalesceChunks(lent);
  // The reader handles the error, if there is one.
  lent.on('error', () => {});
  return lent;
}
