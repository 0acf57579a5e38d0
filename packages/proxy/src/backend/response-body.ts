import { type Clock, sleep } from '@tributary/client';
import type { ByteRate } from './byte-rate.ts';

export interface ResponseBodyOptions {
  /** What becomes of a failure in the middle. */
  readonly explain: (error: unknown) => unknown;
  /** Asked for every piece: it may change while a watch is open. */
  readonly rate: () => ByteRate | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** The pieces of an answer, no faster than the server may send. Written as an iterator: every piece of a generator costs more turns. */
export function responseBody(
  chunks: AsyncIterable<Uint8Array>,
  { explain, rate, clock, signal }: ResponseBodyOptions,
): AsyncIterable<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]();
  const fail = (error: unknown): never => {
    throw explain(error);
  };
  const nextPaced = async (pace: ByteRate): Promise<IteratorResult<Uint8Array>> => {
    // Others may have taken on more debts meanwhile.
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
