/** What passes from the process of test files to the runner. */

export type TestRecord =
  /** `nesting` is 0 for a test of the file, or for the file itself where several share a process. */
  | { type: 'begin' | 'over'; name: string; nesting: number }
  | ({ type: 'result' } & TestResult)
  | { type: 'diagnostic'; message: string }
  /** The summary of the process: without it the process ended before its tests did. */
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

/** Records of a process that several files share, by file, without the level of the file. */
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
