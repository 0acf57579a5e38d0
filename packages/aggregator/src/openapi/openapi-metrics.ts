import { CounterFamily, GaugeFamily, type MetricsRegistry } from '@tributary/server/operations';
import type { Change } from './poll-servers.ts';

/** Upstream defines the same metrics but never counts. */
export interface OpenApiMetrics {
  /** A document of a registration is added to or removed from the next merge. */
  changed(apiService: string, change: Change): void;
  merged(tookMs: number): void;
  register(registry: MetricsRegistry): void;
}

const REASONS: Readonly<Record<Change, string | undefined>> = {
  v2: 'update',
  v3: undefined,
  reordered: undefined,
  removed: 'delete',
};

export function openApiMetrics(): OpenApiMetrics {
  const count = new CounterFamily({
    name: 'aggregator_openapi_v2_regeneration_count',
    help: 'Changes of what other servers add to the document of OpenAPI 2.0',
    labelNames: ['apiservice', 'reason'],
  });
  const duration = new GaugeFamily({
    name: 'aggregator_openapi_v2_regeneration_duration',
    help: 'Seconds that the last merge of the document of OpenAPI 2.0 took',
    labelNames: ['reason'],
  });
  return {
    changed(apiService, change) {
      const reason = REASONS[change];
      if (reason !== undefined) count.with(apiService, reason).value += 1;
    },
    merged(tookMs) {
      duration.with('update').value = tookMs / 1000;
    },
    register(registry) {
      registry.add(count);
      registry.add(duration);
    },
  };
}
