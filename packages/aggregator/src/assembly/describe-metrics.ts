import { backendMetrics } from '@tributary/proxy';
import { MetricsRegistry } from '@tributary/server/operations';
import { availabilityMetrics } from '../availability/availability-metrics.ts';
import { aggregationCounter } from '../discovery/aggregation-counter.ts';
import { registerDebtMetrics } from '../namespace-deletion/debt-metrics.ts';
import { openApiMetrics } from '../openapi/openapi-metrics.ts';
import { proxyMetrics } from '../proxy/proxy-metrics.ts';

/** The figures that an aggregator adds to those of every server, for the reference. */
export function describeAggregatorMetrics(): MetricsRegistry['families'] {
  const registry = new MetricsRegistry();
  availabilityMetrics(() => []).register(registry);
  backendMetrics().register(registry);
  registerDebtMetrics(registry, () => []);
  registry.add(aggregationCounter());
  openApiMetrics().register(registry);
  proxyMetrics().register(registry);
  return registry.families;
}
