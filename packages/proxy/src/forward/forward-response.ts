import type { ApiRequest, ApiResponse } from '@tributary/server';
import { ServerStopping } from '@tributary/server/operations';
import { IncompleteResponse } from '@tributary/server/request';
import type { BackendResponse } from '../backend/backend.ts';
import { headerValue, responseHeaders } from '../headers/response-headers.ts';

/** Answers up to here are put together first, when their length is known: they leave in one piece. */
const WHOLE_BYTES_MAX = 64 * 1024;

/** The answer of another server, for the client. Throws what stopped the server, as long as the client heard nothing. */
export async function forwardResponse(
  request: ApiRequest,
  answer: BackendResponse,
): Promise<ApiResponse> {
  const { status } = answer;
  if (request.method === 'HEAD' || status === 204 || status === 304) {
    await readAll(answer);
    return {
      kind: 'proxied',
      code: status,
      headers: responseHeaders(answer.headers),
      chunks: none,
    };
  }
  return (await whole(answer)) ?? stream(request, answer);
}

async function whole(answer: BackendResponse): Promise<ApiResponse | undefined> {
  const { status, headers } = answer;
  const length = headerValue(headers, 'content-length');
  const contentType = headerValue(headers, 'content-type');
  if (length === undefined || contentType === undefined || !(Number(length) <= WHOLE_BYTES_MAX)) {
    return undefined;
  }
  return {
    kind: 'bytes',
    code: status,
    contentType,
    chunks: await readAll(answer),
    headers: responseHeaders(headers).filter(([name]) => !WRITTEN_BY_SERVER.has(name)),
    isProxied: true,
  };
}

const WRITTEN_BY_SERVER = new Set(['content-type', 'content-length']);

async function readAll({ body }: BackendResponse): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return chunks;
}

function stream(request: ApiRequest, answer: BackendResponse): ApiResponse {
  const { trailers } = answer;
  const headers = responseHeaders(answer.headers);
  // A body without a length may have lines behind it; which ones is said before.
  if (headerValue(headers, 'content-length') === undefined) {
    const announced = headerValue(answer.headers, 'trailer');
    if (announced !== undefined) headers.push(['trailer', announced]);
  }
  return {
    kind: 'proxied',
    code: answer.status,
    headers,
    chunks: whileWanted(request, answer),
    ...(trailers && { trailers: () => responseHeaders(trailers()) }),
  };
}

/** Written as an iterator: a generator would cost every event of every watch more turns. */
function whileWanted(request: ApiRequest, answer: BackendResponse): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const inner = answer.body[Symbol.asyncIterator]();
      const onFailure = (error: unknown): IteratorResult<Uint8Array> => {
        // A watch may end at any time: its client comes again, here or elsewhere.
        const isStopping = request.cancellation.reason instanceof ServerStopping;
        if (isStopping && request.info.verb === 'watch') return { done: true, value: undefined };
        throw new IncompleteResponse(error);
      };
      return {
        next: () => inner.next().catch(onFailure),
        return: async () => {
          answer.cancel();
          await inner.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

const none: AsyncIterable<Uint8Array> = {
  [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
};
