import { type Clock, sleep } from '@tributary/client';
import type { ByteRate } from './byte-rate.ts';

export interface ResponseBodyOptions {
  /** Converts an error in the middle of the body. */
  readonly explain: (error: unknown) => unknown;
  /** Read for every chunk: it may change during a watch. */
  readonly rate: () => ByteRate | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * The chunks of a response, at most as fast as the limit of the server. An iterator, because a generator needs more
 * turns per chunk.
 */
export function responseBody(
  chunks: AsyncIterable<Uint8Array>,
  { explain, rate, clock, signal }: ResponseBodyOptions,
): AsyncIterable<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]();
  const fail = (error: unknown): never => {
    throw explain(error);
  };
  const nextPaced = async (pace: ByteRate): Promise<IteratorResult<Uint8Array>> => {
    // Other requests may have made more debts meanwhile.
    for (let seconds = pace.debtSeconds; seconds > 0; seconds = pace.debtSeconds) {
      await sleep(clock, Math.ceil(seconds * 1000), signal);
    }
    const result = await source.next().catch(fail);
    if (result.done !== true) pace.take(result.value.length);
    return result;
  };
  const iterator: AsyncIterator<Uint8Array> = {
    next() {
      const pace = rate();
      return pace === undefined ? source.next().catch(fail) : nextPaced(pace);
    },
    return: async () => (await source.return?.()) ?? { done: true, value: undefined },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
