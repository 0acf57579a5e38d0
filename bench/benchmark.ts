import type { TestScope } from '../test/harness/index.ts';

export interface Benchmark {
  readonly name: string;
  /** What the figures answer, as a sentence. */
  readonly question: string;
  /** Starts what it needs, measures, and gives the lines to print. */
  readonly measure: (scope: TestScope) => Promise<readonly string[]>;
}

/** The middle of several figures: neighbours on the machine spoil single ones. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
