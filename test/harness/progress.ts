/** The prefix of a line that the runner prints at once, also when the test passes. */
export const PROGRESS_MARK = '▸ ';

export function progress(line: string): void {
  process.stderr.write(`${PROGRESS_MARK}${line}\n`);
}
