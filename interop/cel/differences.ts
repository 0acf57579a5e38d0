/** Where we answer otherwise on purpose. */
import type { OurResponse } from './ours.ts';

export interface CelDifference {
  readonly reason: string;
  readonly ours: OurResponse;
}

export const differences: ReadonlyMap<string, CelDifference> = new Map([
  [
    `much data: self.text.replace('x', self.text).size() > 1`,
    {
      reason:
        'a text of 10,000 characters becomes one of a hundred million, for which only the former are counted; here no text grows beyond 16 million',
      ours: {
        type: 'bool',
        estimatedMin: '6',
        estimatedMax: '629152',
        error: 'operation cancelled: actual cost limit exceeded',
        rule: { maxCardinality: '1048576' },
      },
    },
  ],
]);
