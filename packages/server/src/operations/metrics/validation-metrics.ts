import type { ValidationObserver } from '../../validation/work-thread.ts';
import { CounterFamily, GaugeFamily, HistogramFamily } from './family.ts';
import type { MetricsRegistry } from './registry.ts';

const BUCKETS = [0.005, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Metrics of the single validation thread, in which requests queue. */
export function validationMetrics(registry: MetricsRegistry): ValidationObserver {
  const duration = registry
    .add(
      new HistogramFamily({
        name: 'tributary_judging_duration_seconds',
        help: 'Time to validate an object in the validation thread, queueing included',
        buckets: BUCKETS,
      }),
    )
    .with();
  const failures = registry.add(
    new CounterFamily({
      name: 'tributary_judging_failures_total',
      help: 'Validations that failed, by status code, or `left` when the client disconnected',
      labelNames: ['code'],
    }),
  );
  const waiting = registry
    .add(
      new GaugeFamily({
        name: 'tributary_judging_waiting',
        help: 'Objects queued for the validation thread',
      }),
    )
    .with();
  return {
    completed: (tookMs) => duration.observe(tookMs / 1000),
    failed: (code) => failures.with(code).add(),
    observeWaiting: (count) => registry.onCollect(() => waiting.set(count())),
  };
}
