/** How many different problems are remembered; beyond, all of them may be told again. */
const PROBLEMS_MAX = 1000;

/** A list that is looked at every second has the same problems every second: each is told once. */
export function reportOnce(report: (problem: Error) => void): (problem: Error) => void {
  const told = new Set<string>();
  return (problem) => {
    const text = `${problem.message}: ${String(problem.cause)}`;
    if (told.has(text)) return;
    if (told.size >= PROBLEMS_MAX) told.clear();
    told.add(text);
    report(problem);
  };
}
