import { openMemoryStorage, systemClock } from '@tributary/storage';
import { inFlightQueues } from '../filters/in-flight.ts';
import { accessMetrics } from '../operations/metrics/access-metrics.ts';
import { auditMetrics } from '../operations/metrics/audit-metrics.ts';
import { watchCacheMetrics } from '../operations/metrics/cache-metrics.ts';
import { delegationMetrics } from '../operations/metrics/delegation-metrics.ts';
import type { Family } from '../operations/metrics/family.ts';
import { flowControlMetrics } from '../operations/metrics/flow-control-metrics.ts';
import { measuredStorage } from '../operations/metrics/measured-storage.ts';
import { MetricsRegistry } from '../operations/metrics/registry.ts';
import { requestMetrics } from '../operations/metrics/request-metrics.ts';
import { systemMetrics } from '../operations/metrics/system-metrics.ts';
import { validationMetrics } from '../operations/metrics/validation-metrics.ts';

/** The metrics of every server, for docs/reference. */
export function describeMetrics(): readonly Pick<
  Family,
  'name' | 'type' | 'help' | 'labelNames'
>[] {
  const registry = new MetricsRegistry();
  const memory = { objects: 0, objectBytes: 0, historyBytes: 0, derivedBytes: 0, bytesMax: 0 };
  requestMetrics(registry, () => true);
  accessMetrics(registry);
  auditMetrics(registry, () => {});
  delegationMetrics(registry);
  flowControlMetrics(registry);
  validationMetrics(registry);
  watchCacheMetrics(registry, () => {});
  measuredStorage(openMemoryStorage(), registry);
  systemMetrics(registry, {
    memory: () => ({ ...memory, watchers: 0, resources: [] }),
    inFlight: inFlightQueues({ clock: systemClock, requestsMax: 0, mutatingRequestsMax: 0 }),
    logLinesDropped: () => 0,
  }).close();
  return [...registry.families].sort((a, b) => (a.name < b.name ? -1 : 1));
}
