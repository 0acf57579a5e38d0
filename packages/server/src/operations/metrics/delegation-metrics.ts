import { CounterFamily, HistogramFamily } from './family.ts';
import type { MetricsRegistry } from './registry.ts';

/** Requests to the core server. `code` is an HTTP status code, or `<error>` without a response. */
export interface DelegationMetrics {
  authentication(code: string, tookMs: number): void;
  authorization(code: string, tookMs: number): void;
}

const BUCKETS = [0.25, 0.5, 0.7, 1, 1.5, 3, 5, 10];

export function delegationMetrics(registry: MetricsRegistry): DelegationMetrics {
  return {
    authentication: requests(registry, 'authn', 'delegated authentication'),
    authorization: requests(registry, 'authz', 'delegated authorization'),
  };
}

function requests(registry: MetricsRegistry, name: string, what: string) {
  const labelNames = ['code'];
  const total = registry.add(
    new CounterFamily({
      name: `apiserver_delegated_${name}_request_total`,
      help: `Requests for ${what} to the core server, by status code`,
      labelNames,
    }),
  );
  const duration = registry.add(
    new HistogramFamily({
      name: `apiserver_delegated_${name}_request_duration_seconds`,
      help: `Latency of ${what} by the core server, by status code`,
      labelNames,
      buckets: BUCKETS,
    }),
  );
  return (code: string, tookMs: number): void => {
    total.with(code).add();
    duration.with(code).observe(tookMs / 1000);
  };
}
