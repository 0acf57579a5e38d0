import type { ApiRequest, ApiResponse } from '@tributary/server';
import { ServerStopping } from '@tributary/server/operations';
import { IncompleteResponse } from '@tributary/server/request';
import type { BackendResponse } from '../backend/backend.ts';
import { headerValue, responseHeaders } from '../headers/response-headers.ts';

/** Responses of a known length up to this size are read first and written at once. */
const WHOLE_BYTES_MAX = 64 * 1024;

/** Makes the response of the client. Throws the error of a backend that fails before anything was written. */
export async function forwardResponse(
  request: ApiRequest,
  response: BackendResponse,
): Promise<ApiResponse> {
  const { status } = response;
  if (request.method === 'HEAD' || status === 204 || status === 304) {
    await readAll(response);
    return {
      kind: 'proxied',
      code: status,
      headers: responseHeaders(response.headers),
      chunks: none,
    };
  }
  return (await whole(response)) ?? stream(request, response);
}

async function whole(response: BackendResponse): Promise<ApiResponse | undefined> {
  const { status, headers } = response;
  const length = headerValue(headers, 'content-length');
  const contentType = headerValue(headers, 'content-type');
  if (length === undefined || contentType === undefined || !(Number(length) <= WHOLE_BYTES_MAX)) {
    return undefined;
  }
  return {
    kind: 'bytes',
    code: status,
    contentType,
    chunks: await readAll(response),
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

function stream(request: ApiRequest, response: BackendResponse): ApiResponse {
  const { trailers } = response;
  const headers = responseHeaders(response.headers);
  // A body without a length may have trailers, which are announced.
  if (headerValue(headers, 'content-length') === undefined) {
    const announced = headerValue(response.headers, 'trailer');
    if (announced !== undefined) headers.push(['trailer', announced]);
  }
  return {
    kind: 'proxied',
    code: response.status,
    headers,
    chunks: forwardedChunks(request, response),
    ...(trailers && { trailers: () => responseHeaders(trailers()) }),
  };
}

/** An iterator, because a generator needs more turns per event of every watch. */
function forwardedChunks(
  request: ApiRequest,
  response: BackendResponse,
): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const inner = response.body[Symbol.asyncIterator]();
      const onFailure = (error: unknown): IteratorResult<Uint8Array> => {
        // A watch may end at any time: its client resumes it, here or elsewhere.
        const isStopping = request.cancellation.reason instanceof ServerStopping;
        if (isStopping && request.info.verb === 'watch') return { done: true, value: undefined };
        throw new IncompleteResponse(error);
      };
      return {
        next: () => inner.next().catch(onFailure),
        return: async () => {
          response.cancel();
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
