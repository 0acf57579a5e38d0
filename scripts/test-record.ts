/** Records that the process of test files writes for the runner. */

export type TestRecord =
  /** `nesting` is 0 for a test of the file, or for the file itself in a shared process. */
  | { type: 'begin' | 'over'; name: string; nesting: number }
  | ({ type: 'result' } & TestResult)
  | { type: 'diagnostic'; message: string }
  /** The summary of the process. Without it, the process ended before its tests. */
  | { type: 'end' };

export type TestResult = {
  /** From the outermost test to this one. */
  path: string[];
  /** A `describe`, which counts only when the suite itself fails. */
  suite: boolean;
  durationMs: number;
  /** File and line. */
  where: string;
} & (
  | { outcome: 'passed' }
  /** `failure` is node:test's failure type: `testCodeFailure`, `subtestsFailed`, `hookFailed` … */
  | { outcome: 'failed'; failure: string; error: string }
  | { outcome: 'skipped' | 'todo'; reason: string }
);

/** Parses a reporter's output; the last line may be truncated when the process was killed. */
export function parseRecords(text: string): TestRecord[] {
  const lines = text.split('\n');
  lines.pop();
  return lines.map((line) => JSON.parse(line) as TestRecord);
}

/** Records of a shared process, by file, without the nesting level of the file. */
export function recordsByFile(
  records: readonly TestRecord[],
  files: readonly string[],
): Map<string, TestRecord[]> {
  const byFile = new Map<string, TestRecord[]>(files.map((file) => [file, []]));
  const add = (file: string, record: TestRecord): void => void byFile.get(file)?.push(record);
  let current: string | undefined;
  for (const record of records) {
    if (record.type === 'begin' && record.nesting === 0 && files.includes(record.name)) {
      current = record.name;
      add(current, record);
    } else if (record.type === 'result') {
      const [file = '', ...path] = record.path;
      add(file, { ...record, path });
      if (path.length === 0) add(file, { type: 'end' });
    } else if (current !== undefined) {
      add(current, record);
    }
  }
  return byFile;
}
