import { type Clock, StorageUnavailable } from '@tributary/storage';
import { orAborted } from '../watch-cache/event-loop.ts';

/** Calls a source with a timeout, which also ends calls that ignore their signal. Every error is an outage. */
export async function callSource<T>(
  call: (options: { signal: AbortSignal }) => Promise<T>,
  { clock, timeoutMs, signal }: { clock: Clock; timeoutMs: number; signal: AbortSignal },
): Promise<T> {
  const late = new AbortController();
  const cancel = clock.schedule(timeoutMs, () =>
    late.abort(new Error(`the source did not respond within ${timeoutMs} ms`)),
  );
  const either = AbortSignal.any([signal, late.signal]);
  try {
    return await orAborted(call({ signal: either }), either);
  } catch (cause) {
    throw unavailable(cause);
  } finally {
    cancel();
  }
}

export function unavailable(cause: unknown): StorageUnavailable {
  if (cause instanceof StorageUnavailable) return cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new StorageUnavailable(`the source of a projection is unavailable: ${why}`, { cause });
}
