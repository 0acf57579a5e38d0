import type { Clock } from '@tributary/storage';

/** A repeated problem, such as a full disk at every request, is logged only this often. */
const REPEAT_MS = 10_000;
/** Remembered messages; beyond that, further messages are logged every time. */
const MESSAGES_MAX = 100;

/** Logs internal errors, each message at most once per interval. */
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
