import type { Clock } from '@tributary/client';
import type { ApiResponse } from '@tributary/server';
import type { Route } from '@tributary/server/routing';

export interface Patience {
  /** The answer in place of one that is late, broken, or says that its server is not well. */
  readonly kept: () => ApiResponse;
  readonly clock: Pick<Clock, 'schedule'>;
}

/** Many times what a server needs for a list of what it serves. */
const PATIENCE_MS = 500;
/** A list that is longer is not waited for. */
const ANSWER_BYTES_MAX = 4 * 1024 * 1024;

/** The whole answer of another server, if it comes soon. */
export async function inTime(
  ask: () => ReturnType<Route>,
  { kept, clock }: Patience,
): Promise<ApiResponse> {
  const patience = Promise.withResolvers<undefined>();
  const waiting = { isOver: false };
  const cancel = clock.schedule(PATIENCE_MS, () => {
    waiting.isOver = true;
    patience.resolve(undefined);
  });
  try {
    return (await Promise.race([wholeAnswer(ask, waiting), patience.promise])) ?? kept();
  } finally {
    cancel();
  }
}

/** Undefined when the server could not be asked, is not well, or says more than anybody wants to know. */
async function wholeAnswer(
  ask: () => ReturnType<Route>,
  waiting: { readonly isOver: boolean },
): Promise<ApiResponse | undefined> {
  try {
    const answer = await ask();
    if (answer?.kind === 'proxied' && answer.code < 500) return await collected(answer, waiting);
    return answer?.kind === 'bytes' && answer.code < 500 ? answer : undefined;
  } catch {
    return undefined; // the request itself has told how its server is
  }
}

async function collected(
  answer: ApiResponse & { kind: 'proxied' },
  waiting: { readonly isOver: boolean },
): Promise<ApiResponse | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.chunks) {
    bytes += chunk.length;
    if (waiting.isOver || bytes > ANSWER_BYTES_MAX) return undefined; // leaves the server, too
    chunks.push(chunk);
  }
  return { ...answer, chunks: inOrder(chunks) };
}

async function* inOrder(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
