/** Known differences in random sequences: those of the rows, wherever they occur. */
import { differences as aggregator } from '../aggregator/differences.ts';
import { differences as wardle } from '../differential/differences.ts';
import type { DeliberateDifference } from '../differential/verdict.ts';

const everywhere = (ids: readonly string[]): DeliberateDifference[] =>
  wardle.filter(({ id }) => ids.includes(id)).map((one) => ({ ...one, rows: /./ }));

export const coreDifferences: readonly DeliberateDifference[] = everywhere([
  'list items say what they are',
]);

export const wardleDifferences: readonly DeliberateDifference[] = everywhere([
  'list items say what they are',
  'Tables show what a kind is about',
  'the document of a refused patch',
]);

/** Seen through an aggregator. */
export const aggregatedDifferences: readonly DeliberateDifference[] = [
  ...wardleDifferences,
  ...aggregator.filter(({ id }) => id === 'headers that two servers set are sent once'),
];
