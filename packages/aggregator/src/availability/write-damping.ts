import type { Finding } from './condition.ts';

/** What is known when it is decided whether to write. */
export interface WriteFacts {
  readonly finding: Finding;
  /** When a sign last agreed with the finding. */
  readonly confirmedMs: number;
  /** What the APIService says; undefined: nothing. */
  readonly stored: Finding | undefined;
  /** When this process saw another one write what is stored; undefined: it wrote that itself, or found it there. */
  readonly externalMs: number | undefined;
  /** When this process last wrote, and when it last contradicted another one. */
  readonly wroteMs: number | undefined;
  readonly contradictedMs: number | undefined;
  readonly nowMs: number;
}

/** Nobody needs to see a server go and come more often; and who has just repaired one sees it within a second. */
export const WRITE_GAP_MS = 250;
/** Two processes that see different things are both right; which one is written last must not be a race. */
export const CONTRADICTION_GAP_MS = 30_000;
/** Other words for the same state. */
export const WORDS_GAP_MS = 30_000;

/**
 * `never`: the APIService says it already, or better. `later`: in that many milliseconds, if nothing has changed by
 * then. `confirm`: another process has just seen the opposite, so look again first.
 */
export type WriteDecision =
  | { readonly kind: 'never' | 'now' | 'confirm' }
  | { readonly kind: 'later'; readonly delayMs: number };

export function decideWrite(facts: WriteFacts): WriteDecision {
  const { finding, stored, externalMs, wroteMs, contradictedMs, nowMs } = facts;
  if (stored === undefined) return after(wroteMs, WRITE_GAP_MS, nowMs);
  const isSameState = stored.status === finding.status && stored.reason === finding.reason;
  if (isSameState) {
    // Another process has its own words for it: they are as good as ours.
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
