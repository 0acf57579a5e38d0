import type { Finding } from './condition.ts';

/** Inputs of the decision. */
export interface WriteFacts {
  readonly finding: Finding;
  /** The time of the last sign that agreed with the finding. */
  readonly confirmedMs: number;
  /** The stored condition; undefined: none. */
  readonly stored: Finding | undefined;
  /**
   * When another process wrote the stored condition; undefined: this process wrote it, or it is older than this
   * process.
   */
  readonly externalMs: number | undefined;
  /** The time of this process' last write, and of its last one against another process. */
  readonly wroteMs: number | undefined;
  readonly contradictedMs: number | undefined;
  readonly nowMs: number;
}

/** Frequent changes help no client, and a repair is still visible within a second. */
export const WRITE_GAP_MS = 250;
/** Two processes with different findings may both be right; the last write must not be a race. */
export const CONTRADICTION_GAP_MS = 30_000;
/** For another message of the same state. */
export const WORDS_GAP_MS = 30_000;

/**
 * `never`: the stored condition is as good. `later`: after this many milliseconds, if nothing changes. `confirm`:
 * another process has just found the opposite, so a probe comes first.
 */
export type WriteDecision =
  | { readonly kind: 'never' | 'now' | 'confirm' }
  | { readonly kind: 'later'; readonly delayMs: number };

export function decideWrite(facts: WriteFacts): WriteDecision {
  const { finding, stored, externalMs, wroteMs, contradictedMs, nowMs } = facts;
  if (stored === undefined) return after(wroteMs, WRITE_GAP_MS, nowMs);
  const isSameState = stored.status === finding.status && stored.reason === finding.reason;
  if (isSameState) {
    // The message of another process is as good as this one's.
    if (stored.message === finding.message || externalMs !== undefined) return { kind: 'never' };
    return after(wroteMs, WORDS_GAP_MS, nowMs);
  }
  if (externalMs === undefined) return after(wroteMs, WRITE_GAP_MS, nowMs);
  if (facts.confirmedMs <= externalMs) return { kind: 'confirm' };
  const gap = after(contradictedMs, CONTRADICTION_GAP_MS, nowMs);
  return gap.kind === 'now' ? after(wroteMs, WRITE_GAP_MS, nowMs) : gap;
}

function after(lastMs: number | undefined, gapMs: number, nowMs: number): WriteDecision {
  const delayMs = lastMs === undefined ? 0 : lastMs + gapMs - nowMs;
  return delayMs <= 0 ? { kind: 'now' } : { kind: 'later', delayMs };
}
