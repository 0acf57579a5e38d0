import type { TestScope } from '../test/harness/index.ts';

export interface Benchmark {
  readonly name: string;
  /** The question that the figures answer, as a sentence. */
  readonly question: string;
  /** Starts its servers, measures, and returns the lines to print. */
  readonly measure: (scope: TestScope) => Promise<readonly string[]>;
}

/** The median of several figures, because other processes of the machine distort single ones. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
