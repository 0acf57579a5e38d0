import { MetricsRegistry } from '@tributary/server/operations';
import { syncErrorCounter } from '../controllers/garbage-collection/sync-errors.ts';

/** Metrics that a control plane adds to those of every server, for the metrics reference. */
export function describeCoreMetrics(): MetricsRegistry['families'] {
  const registry = new MetricsRegistry();
  registry.add(syncErrorCounter());
  return registry.families;
}
