import type { Logger } from '@tributary/server';
import type { Clock } from '@tributary/storage';
import type { OnRejected } from './metrics.ts';

/** Those who are turned away come in crowds: a line now and then says how many. */
const REPEAT_MS = 10_000;

/** Logs that requests of a level are turned away, at once and then every while, with their number since. */
export function rejectionLog(log: Logger, clock: Pick<Clock, 'nowMs'>): OnRejected {
  const told = new Map<string, { atMs: number; count: number }>();
  return ({ level, schema, reason }) => {
    const nowMs = clock.nowMs();
    const last = told.get(level);
    if (last !== undefined) last.count += 1;
    if (last !== undefined && nowMs - last.atMs < REPEAT_MS) return;
    log.info('Requests are turned away', {
      priorityLevel: level,
      flowSchema: schema,
      reason,
      count: last?.count ?? 1,
    });
    told.set(level, { atMs: nowMs, count: 0 });
  };
}
