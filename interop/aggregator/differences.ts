/** What the aggregator does otherwise than the original on purpose; counted with those of the sample API server. */
import { differences as wardle } from '../differential/differences.ts';
import type { DeliberateDifference } from '../differential/verdict.ts';

/** Of the server behind it, which are seen through it. */
const OF_THE_SAMPLE = ['the newer version is stored', 'kinds have short names'];

export const differences: readonly DeliberateDifference[] = [
  ...wardle.filter(({ id }) => OF_THE_SAMPLE.includes(id)),
  {
    id: 'headers that two servers set are sent once',
    rows: /./,
    path: /^headers\.(audit-id|cache-control)$/,
    accepts: ({ ours, reference }) =>
      typeof ours === 'string' && Array.isArray(reference) && reference.includes(ours),
    benefit:
      'A request that was passed on has one Audit-Id and one Cache-Control, so that its line in the audit log is found; the original sends those of both servers.',
  },
];
