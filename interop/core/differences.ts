/** What the control plane does otherwise than the original on purpose; counted with those of the sample API server. */
import { differences as wardle } from '../differential/differences.ts';
import type { DeliberateDifference } from '../differential/verdict.ts';

/** Decided once, for every server. */
const EVERYWHERE = ['list items say what they are'];

export const differences: readonly DeliberateDifference[] = wardle.filter(({ id }) =>
  EVERYWHERE.includes(id),
);
