import { CounterFamily, GaugeFamily, type MetricsRegistry } from '@tributary/server/operations';

/** The limit that a request was refused for. */
export type ExceededLimit = 'requests' | 'watches' | 'bytes' | 'rate';

/** The values of one server's gauges. */
export interface BackendGauges {
  readonly name: string;
  readonly requestsInFlight: number;
  readonly watches: number;
  readonly connections: { readonly http1: number; readonly http2: number };
}

export interface BackendMetrics {
  register(registry: MetricsRegistry): void;
  /** Sets the source of the gauges, which is read when metrics are collected. */
  observe(current: () => Iterable<BackendGauges>): void;
  rejected(apiService: string, limit: ExceededLimit): void;
  retried(apiService: string): void;
  /** A certificate without subject alternative names was refused. */
  missingSan(): void;
  /** A certificate was refused that is signed with SHA-1. */
  insecureSha1(): void;
}

export function backendMetrics(): BackendMetrics {
  const labelNames = ['apiservice'];
  const rejected = new CounterFamily({
    name: 'tributary_backend_rejected_total',
    help: 'Requests that were rejected because of a limit of their server, by limit',
    labelNames: ['apiservice', 'limit'],
  });
  const retried = new CounterFamily({
    name: 'tributary_backend_retries_total',
    help: 'Requests that were sent a second time because the first got no response',
    labelNames,
  });
  const missingSan = new CounterFamily({
    name: 'apiserver_kube_aggregator_x509_missing_san_total',
    help: 'Connections to servers that were refused because of a certificate without subject alternative names',
  });
  const insecureSha1 = new CounterFamily({
    name: 'apiserver_kube_aggregator_x509_insecure_sha1_total',
    help: 'Connections to servers that were refused because of a certificate signed with SHA-1',
  });
  const inFlight = new GaugeFamily({
    name: 'tributary_backend_requests_in_flight',
    help: 'Requests in flight at a server',
    labelNames,
  });
  const watches = new GaugeFamily({
    name: 'tributary_backend_watches',
    help: 'Watches and upgraded connections that are open at a server',
    labelNames,
  });
  const connections = new GaugeFamily({
    name: 'tributary_backend_connections',
    help: 'Kept connections to a server, by protocol',
    labelNames: ['apiservice', 'protocol'],
  });
  let current: () => Iterable<BackendGauges> = () => [];
  const collect = (): void => {
    // Removes the series of deleted servers.
    for (const gauge of [inFlight, watches, connections]) gauge.reset();
    for (const figures of current()) {
      inFlight.with(figures.name).set(figures.requestsInFlight);
      watches.with(figures.name).set(figures.watches);
      connections.with(figures.name, 'http/1.1').set(figures.connections.http1);
      connections.with(figures.name, 'h2').set(figures.connections.http2);
    }
  };
  return {
    register(registry) {
      for (const counter of [rejected, retried, missingSan, insecureSha1]) registry.add(counter);
      for (const gauge of [inFlight, watches, connections]) registry.add(gauge);
      registry.onCollect(collect);
    },
    observe(figures) {
      current = figures;
    },
    rejected: (apiService, limit) => rejected.with(apiService, limit).add(),
    retried: (apiService) => retried.with(apiService).add(),
    missingSan: () => missingSan.with().add(),
    insecureSha1: () => insecureSha1.with().add(),
  };
}
