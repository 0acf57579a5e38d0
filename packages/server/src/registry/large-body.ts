import { setImmediate as immediate } from 'node:timers/promises';

/** Larger bodies may contain thousands of values, which take milliseconds to decode, and as long again to validate. */
const LARGE_BYTES = 32 * 1024;

/** Processes a parsed body; a large one in a turn of the event loop of its own. */
export async function inTurns<Parsed, Result>(
  { length }: Uint8Array,
  parsed: Parsed,
  process: (parsed: Parsed) => Result,
): Promise<Result> {
  const isLarge = length > LARGE_BYTES;
  if (isLarge) await immediate();
  const result = process(parsed);
  if (isLarge) await immediate();
  return result;
}
