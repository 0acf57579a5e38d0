/** Compares the observations of the same clients at two servers, step by step. */
import { isDeepStrictEqual } from 'node:util';
import type { Line } from './run.ts';

export interface Difference {
  readonly step: string;
  /** Undefined where there was no such step. */
  readonly reference: Line | undefined;
  readonly ours: Line | undefined;
}

/** In the order of the reference; a step that one of them lacks is a difference, too. */
export function differencesOf(reference: readonly Line[], ours: readonly Line[]): Difference[] {
  const found: Difference[] = [];
  for (let index = 0; index < Math.max(reference.length, ours.length); index += 1) {
    const expected = reference[index];
    const seen = ours[index];
    if (isDeepStrictEqual(expected, seen)) continue;
    const step = expected?.step ?? seen?.step ?? '';
    found.push({ step, reference: expected, ours: seen });
  }
  return found;
}

/** For the message of a failed assertion. */
export function formatDifferences(differences: readonly Difference[]): string {
  return differences
    .map(({ step, reference, ours }) =>
      [
        step,
        `  reference ${JSON.stringify(reference)}`,
        `  ours      ${JSON.stringify(ours)}`,
      ].join('\n'),
    )
    .join('\n');
}
