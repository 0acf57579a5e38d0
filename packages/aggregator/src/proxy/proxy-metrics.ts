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

/** What passing on counts. */
export interface ProxyMetrics {
  /** Figures are counted before anybody asks for them. */
  register(registry: MetricsRegistry): void;
  /** The head of an answer came. */
  responded(apiService: string, tookMs: number): void;
  /** A request was turned away here, and its server not asked. */
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
      // The server counts its own under the same name, with another component.
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
