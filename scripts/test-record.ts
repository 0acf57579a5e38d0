/** What passes from the process of a test file to the runner. */

export type TestRecord =
  | { type: 'begin' | 'over'; name: string }
  | ({ type: 'result' } & TestResult)
  | { type: 'diagnostic'; message: string }
  /** The file's own summary: without it the process ended before its tests did. */
  | { type: 'end' };

export type TestResult = {
  /** From the outermost test to this one. */
  path: string[];
  /** A `describe`, which counts only when it fails by itself. */
  suite: boolean;
  durationMs: number;
  /** File and line. */
  where: string;
} & (
  | { outcome: 'passed' }
  /** `failure` is node:test's word for how: `testCodeFailure`, `subtestsFailed`, `hookFailed` … */
  | { outcome: 'failed'; failure: string; error: string }
  | { outcome: 'skipped' | 'todo'; reason: string }
);

/** Reads what a reporter wrote; the last line may be cut where the process was killed. */
export function parseRecords(text: string): TestRecord[] {
  const lines = text.split('\n');
  lines.pop();
  return lines.map((line) => JSON.parse(line) as TestRecord);
}
