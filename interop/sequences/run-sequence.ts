/** Sends one sequence to two servers and compares everything that they said. */

import { normaliseRow } from '../differential/normalise.ts';
import type { Row } from '../differential/row.ts';
import { namespaceOf, runRow } from '../differential/run-row.ts';
import type { StepResult } from '../differential/step-result.ts';
import type { Target } from '../differential/target.ts';
import { compareRow, type Verdict } from '../differential/verdict.ts';
import { steady } from './steady.ts';
import type { World } from './world.ts';

/** A server that sequences are sent to. */
export interface Side {
  readonly target: Target;
  /** After a sequence: gives back what there is little of. */
  tidy(namespace: string): Promise<void>;
}

export interface Sides {
  readonly ours: Side;
  readonly original: Side;
}

export interface SequenceOptions {
  readonly world: World;
  readonly sides: Sides;
  /** Tells the namespaces of two runs on one server apart. */
  readonly runId: string;
  /** How long a watch is listened to after the last step. */
  readonly quietMs: number;
}

export async function compareSequence(
  row: Row,
  { world, sides, ...options }: SequenceOptions,
): Promise<Verdict> {
  const [ours, reference] = await Promise.all([
    responsesOf(row, sides.ours, options),
    responsesOf(row, sides.original, options),
  ]);
  const lists = { differences: world.differences, todoRows: [], todoPaths: [] };
  return compareRow(row.name, { ours, reference }, lists);
}

async function responsesOf(
  row: Row,
  { target, tidy }: Side,
  { runId, quietMs }: Pick<SequenceOptions, 'runId' | 'quietMs'>,
): Promise<StepResult[]> {
  const namespace = namespaceOf(row, runId);
  const raw = await runRow(row, target, { runId, quietMs });
  await tidy(namespace);
  const options = { row, namespace, now: Date.now(), sharedRevisions: true };
  return normaliseRow(raw.map(steady), options);
}
