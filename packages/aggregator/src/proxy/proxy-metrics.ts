import type { ApiRequest } from '@tributary/server';
import {
  CounterFamily,
  HistogramFamily,
  type MetricsRegistry,
  requestLabels,
} from '@tributary/server/operations';

const TERMINATIONS = 'apiserver_request_terminations_total';
const SECONDS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];

/** Metrics of proxied requests. */
export interface ProxyMetrics {
  /** Requests before the registration are counted, too. */
  register(registry: MetricsRegistry): void;
  /** The header of a response arrived. */
  responded(apiService: string, tookMs: number): void;
  /** A request was refused without sending it to the backend. */
  terminated(request: ApiRequest, code: number): void;
}

export function proxyMetrics(): ProxyMetrics {
  const durations = new HistogramFamily({
    name: 'tributary_proxy_duration_seconds',
    help: 'Time until another server began to answer a request that was passed on',
    labelNames: ['apiservice'],
    buckets: SECONDS,
  });
  let terminations: CounterFamily | undefined;
  return {
    register(registry) {
      registry.add(durations);
      // The server has the same metric with another component.
      const known = registry.families.find(({ name }) => name === TERMINATIONS);
      if (known instanceof CounterFamily) terminations = known;
    },
    responded(apiService, tookMs) {
      durations.with(apiService).observe(tookMs / 1000);
    },
    terminated(request, code) {
      const { verb, group, version, resource, subresource, scope } = requestLabels(request);
      const values = [verb, group, version, resource, subresource, scope, 'aggregator'];
      terminations?.with(...values, String(code)).add();
    },
  };
}
