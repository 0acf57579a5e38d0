import { setImmediate as immediate } from 'node:timers/promises';
import type { MaybePromise } from '../request/maybe-promise.ts';

/** More may hold thousands of values, which take milliseconds to be read, and as long again to be validated. */
const LARGE_BYTES = 32 * 1024;

/** What is made of a body that was parsed; of a large one in a turn of its own. */
export function inTurns<Parsed, Read>(
  { length }: Uint8Array,
  parsed: Parsed,
  read: (parsed: Parsed) => Read,
): MaybePromise<Read> {
  if (length <= LARGE_BYTES) return read(parsed);
  return immediate().then(async () => {
    const whole = read(parsed);
    await immediate();
    return whole;
  });
}
