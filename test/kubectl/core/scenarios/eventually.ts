import { eventuallySucceeds } from '../../../harness/index.ts';
import type { Stage, Step } from '../../scenario.ts';

const AGAIN_MS = 100;

/** Repeats a step until it is as expected; after a bound its last failure is the failure. */
export async function eventually({ step }: Stage, wanted: Step, againMs = AGAIN_MS): Promise<void> {
  await eventuallySucceeds(() => step(wanted), { everyMs: againMs });
}
