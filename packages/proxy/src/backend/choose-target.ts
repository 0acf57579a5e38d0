import type { BackendRequest } from './backend.ts';
import type { PooledTarget } from './pooled-target.ts';

export interface ChoiceOptions {
  readonly use: BackendRequest['use'];
  readonly nowMs: number;
  /** At least 0, below 1. */
  readonly random: () => number;
  /** A target that was tried already. */
  readonly except?: PooledTarget | undefined;
}

/**
 * The target with the fewest requests in flight among those that have not just failed; the search begins at a random
 * one, so that several aggregators do not choose the same. Undefined when there is no other.
 */
export function chooseTarget(
  pooled: readonly PooledTarget[],
  { use, nowMs, random, except }: ChoiceOptions,
): PooledTarget | undefined {
  const [only] = pooled;
  if (pooled.length === 1) return only === except ? undefined : only;
  const start = Math.floor(random() * pooled.length);
  let best: PooledTarget | undefined;
  let bestAvoided = false;
  for (let offset = 0; offset < pooled.length; offset += 1) {
    const candidate = pooled[(start + offset) % pooled.length];
    if (candidate === undefined || candidate === except) continue;
    const avoided = candidate.avoidedUntilMs > nowMs;
    const better =
      best === undefined ||
      (bestAvoided && !avoided) ||
      (bestAvoided === avoided && candidate.inFlight[use] < best.inFlight[use]);
    if (!better) continue;
    best = candidate;
    bestAvoided = avoided;
  }
  return best;
}
