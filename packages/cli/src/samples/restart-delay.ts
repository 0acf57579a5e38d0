const FIRST_MS = 500;
const LONGEST_MS = 30_000;
/** A program that has run so long was healthy. */
const WELL_MS = 60_000;

/** How long to wait before a program that has ended is started again. */
export function restartDelayMs(previousMs: number | undefined, ranMs: number): number {
  if (previousMs === undefined || ranMs >= WELL_MS) return FIRST_MS;
  return Math.min(previousMs * 2, LONGEST_MS);
}
