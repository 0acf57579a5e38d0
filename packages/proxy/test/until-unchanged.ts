/** Waiting for a stream that back-pressure stops. */
import { eventually } from '../../../test/harness/index.ts';

/** A stream that still flows moves in every one of them: each takes several turns of the event loop. */
const ROUND_TRIPS = 20;

/**
 * Until a count of bytes stays as it is during twenty round trips in a row, of requests that nothing holds back.
 * A slow machine slows both alike.
 */
export async function untilUnchanged(
  count: () => number,
  roundTrip: () => Promise<unknown>,
): Promise<void> {
  let last = count();
  let unchanged = 0;
  await eventually(
    () => `the count stays as it is; it is ${count()}`,
    async () => {
      await roundTrip();
      unchanged = count() === last && last > 0 ? unchanged + 1 : 0;
      last = count();
      return unchanged === ROUND_TRIPS;
    },
    { everyMs: 0 },
  );
}
