import type { FlowControlMetrics } from '@tributary/server/operations';

/** The metrics of requests of one schema in one level. */
export interface SchemaMetrics {
  readonly inQueue: { add(by: number): void };
  started(seats: number): void;
  ended(seats: number): void;
  waited(wasSeated: boolean, tookMs: number): void;
  rejected(reason: string): void;
}

export interface LevelMetrics {
  /** The number of seats that the level could use now. */
  demand(seats: number): void;
}

export type OnRequestRejected = (what: {
  readonly level: string;
  readonly schema: string;
  readonly reason: string;
}) => void;

/** The metrics of one schema, with labels resolved once. */
export function schemaMetrics(
  metrics: FlowControlMetrics,
  { level, schema, onRejected }: { level: string; schema: string; onRejected: OnRequestRejected },
): SchemaMetrics {
  const labels = [level, schema] as const;
  const dispatched = metrics.dispatched.with(...labels);
  const executing = metrics.executing.with(...labels);
  const seats = metrics.executingSeats.with(...labels);
  const waits = [
    metrics.waitSeconds.with(...labels, 'false'),
    metrics.waitSeconds.with(...labels, 'true'),
  ] as const;
  return {
    inQueue: metrics.inQueue.with(...labels),
    started(width) {
      dispatched.add();
      executing.add();
      seats.add(width);
    },
    ended(width) {
      executing.add(-1);
      seats.add(-width);
    },
    waited: (wasSeated, tookMs) => waits[wasSeated ? 1 : 0].observe(tookMs / 1000),
    rejected(reason) {
      metrics.rejected.with(...labels, reason).add();
      onRejected({ level, schema, reason });
    },
  };
}
