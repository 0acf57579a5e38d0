import { eventuallySucceeds } from '../../../harness/index.ts';
import type { Stage, Step } from '../../scenario.ts';

/** Controllers follow within moments, a second on a busy machine; what they missed they see after half a minute. */
const EVENTUALLY_MS = 25_000;
const AGAIN_MS = 100;

/** Repeats a step until it is as expected; after a bound its last failure is the failure. */
export async function eventually({ step }: Stage, wanted: Step, againMs = AGAIN_MS): Promise<void> {
  await eventuallySucceeds(() => step(wanted), { withinMs: EVENTUALLY_MS, everyMs: againMs });
}
