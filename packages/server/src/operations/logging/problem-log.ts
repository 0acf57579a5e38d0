import type { Clock } from '@tributary/storage';

/** The same problem at every request, a full disk for example, is worth a line now and then. */
const REPEAT_MS = 10_000;
/** Messages remembered; more kinds of trouble than these are logged as they come. */
const MESSAGES_MAX = 100;

/** Writes what went wrong in the server itself, each message at most once in a while. */
export function problemLog(
  clock: Pick<Clock, 'nowMs'>,
  write: (text: string, problem: unknown) => void,
): (problem: unknown) => void {
  const lastMs = new Map<string, number>();
  return (problem) => {
    const message =
      problem instanceof Error ? `${problem.name}: ${problem.message}` : String(problem);
    const last = lastMs.get(message);
    if (last !== undefined && clock.nowMs() - last < REPEAT_MS) return;
    if (lastMs.size >= MESSAGES_MAX) lastMs.clear();
    lastMs.set(message, clock.nowMs());
    write(`${problem instanceof Error ? (problem.stack ?? message) : message}\n`, problem);
  };
}
