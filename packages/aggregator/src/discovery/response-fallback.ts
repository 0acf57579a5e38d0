import type { Clock } from '@tributary/client';
import type { ApiResponse } from '@tributary/server';
import type { Route } from '@tributary/server/routing';

export interface FallbackOptions {
  /** The response in place of a late, broken or failed one. */
  readonly fallback: () => ApiResponse;
  readonly clock: Pick<Clock, 'schedule'>;
}

/** Many times what a backend needs for its list of resources. */
const TIMEOUT_MS = 500;
/** Longer responses are dropped. */
const RESPONSE_BYTES_MAX = 4 * 1024 * 1024;

/** The whole response of a backend, or the fallback after a short timeout. */
export async function withFallback(
  send: () => ReturnType<Route>,
  { fallback, clock }: FallbackOptions,
): Promise<ApiResponse> {
  const timeout = Promise.withResolvers<undefined>();
  const waiting = { isOver: false };
  const cancel = clock.schedule(TIMEOUT_MS, () => {
    waiting.isOver = true;
    timeout.resolve(undefined);
  });
  try {
    return (await Promise.race([wholeResponse(send, waiting), timeout.promise])) ?? fallback();
  } finally {
    cancel();
  }
}

/** Undefined when the request failed, the backend reported an error, or the body is too long. */
async function wholeResponse(
  send: () => ReturnType<Route>,
  waiting: { readonly isOver: boolean },
): Promise<ApiResponse | undefined> {
  try {
    const response = await send();
    if (response?.kind === 'proxied' && response.code < 500)
      return await collect(response, waiting);
    return response?.kind === 'bytes' && response.code < 500 ? response : undefined;
  } catch {
    return undefined; // the request itself has reported the failure to the availability
  }
}

async function collect(
  response: ApiResponse & { kind: 'proxied' },
  waiting: { readonly isOver: boolean },
): Promise<ApiResponse | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.chunks) {
    bytes += chunk.length;
    if (waiting.isOver || bytes > RESPONSE_BYTES_MAX) return undefined; // the end of the iteration closes the response
    chunks.push(chunk);
  }
  return { ...response, chunks: inOrder(chunks) };
}

async function* inOrder(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
