import type { Logger } from '@tributary/server';
import type { Clock } from '@tributary/storage';
import type { OnRequestRejected } from './metrics.ts';

/** Rejections come in bursts; at most one log line per level in this interval. */
const REPEAT_MS = 10_000;

/** Logs rejections of a level at once, and then periodically with their number. */
export function rejectionLog(log: Logger, clock: Pick<Clock, 'nowMs'>): OnRequestRejected {
  const logged = new Map<string, { atMs: number; count: number }>();
  return ({ level, schema, reason }) => {
    const nowMs = clock.nowMs();
    const last = logged.get(level);
    if (last !== undefined) last.count += 1;
    if (last !== undefined && nowMs - last.atMs < REPEAT_MS) return;
    log.info('Rejecting requests', {
      priorityLevel: level,
      flowSchema: schema,
      reason,
      count: last?.count ?? 1,
    });
    logged.set(level, { atMs: nowMs, count: 0 });
  };
}
