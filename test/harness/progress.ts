/** How a line for the person waiting begins: the runner shows it at once, also when the test passes. */
export const PROGRESS_MARK = '▸ ';

export function progress(line: string): void {
  process.stderr.write(`${PROGRESS_MARK}${line}\n`);
}
