/** The number of problems that are remembered; beyond it all are reported again. */
const PROBLEMS_MAX = 1000;

/** A source that is polled every second has the same problems every second: each is reported once. */
export function reportOnce(report: (problem: Error) => void): (problem: Error) => void {
  const reported = new Set<string>();
  return (problem) => {
    const text = `${problem.message}: ${String(problem.cause)}`;
    if (reported.has(text)) return;
    if (reported.size >= PROBLEMS_MAX) reported.clear();
    reported.add(text);
    report(problem);
  };
}
