import type { Clock } from '@tributary/client';
import type { ApiResponse } from '@tributary/server';
import type { Route } from '@tributary/server/routing';

export interface FallbackOptions {
  /** The answer in place of one that is late, broken, or says that its server is not well. */
  readonly fallback: () => ApiResponse;
  readonly clock: Pick<Clock, 'schedule'>;
}

/** Many times what a server needs for a list of what it serves. */
const TIMEOUT_MS = 500;
/** A list that is longer is not waited for. */
const RESPONSE_BYTES_MAX = 4 * 1024 * 1024;

/** The whole answer of another server, if it comes soon. */
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

/** Undefined when the server could not be asked, is not well, or says more than anybody wants to know. */
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
    return undefined; // the request itself has told how its server is
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
    if (waiting.isOver || bytes > RESPONSE_BYTES_MAX) return undefined; // leaves the server, too
    chunks.push(chunk);
  }
  return { ...response, chunks: inOrder(chunks) };
}

async function* inOrder(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
