/** Polling with a deadline. The deadline costs time only in a failure, so it leaves room for a busy machine. */
import assert from 'node:assert/strict';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

export interface WaitOptions {
  readonly withinMs?: number | undefined;
  /** The pause between polls; 0 waits for the next turn of the event loop, without a timer. */
  readonly everyMs?: number | undefined;
}

const WITHIN_MS = 30_000;
const EVERY_MS = 10;

/**
 * The first result that is neither false, null nor undefined. At the deadline it throws an error that contains
 * `what`.
 */
export async function eventually<T>(
  what: string | (() => string),
  look: () => T | false | null | undefined | Promise<T | false | null | undefined>,
  { withinMs = WITHIN_MS, everyMs = EVERY_MS }: WaitOptions = {},
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (seen !== false && seen !== null && seen !== undefined) return seen;
    if (performance.now() >= deadline) {
      assert.fail(`not within ${withinMs} ms: ${typeof what === 'string' ? what : what()}`);
    }
    await pause(everyMs);
  }
}

/** The result of the first attempt that does not throw. At the deadline it throws the last error. */
export async function eventuallySucceeds<T>(
  attempt: () => T | Promise<T>,
  { withinMs = WITHIN_MS, everyMs = EVERY_MS }: WaitOptions = {},
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() >= deadline) throw error;
    }
    await pause(everyMs);
  }
}

function pause(everyMs: number): Promise<void> {
  return everyMs === 0 ? nextTurn() : sleep(everyMs);
}
