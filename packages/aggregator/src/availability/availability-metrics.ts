import { CounterFamily, GaugeFamily, type MetricsRegistry } from '@tributary/server/operations';

/** Upstream's metrics of APIServices, under upstream's names. */
export interface AvailabilityMetrics {
  /** Counts only written changes from True to another status, as upstream does. */
  becameUnavailable(name: string, reason: string): void;
  register(registry: MetricsRegistry): void;
}

export function availabilityMetrics(
  /** Every registration with a known state. */
  current: () => Iterable<{ readonly name: string; readonly isAvailable: boolean }>,
): AvailabilityMetrics {
  const gauge = new GaugeFamily({
    name: 'aggregator_unavailable_apiservice',
    help: 'APIServices that are unavailable, by name',
    labelNames: ['name'],
  });
  const counter = new CounterFamily({
    name: 'aggregator_unavailable_apiservice_total',
    help: 'How often an APIService became unavailable, by name and reason',
    labelNames: ['name', 'reason'],
  });
  return {
    becameUnavailable: (name, reason) => counter.with(name, reason).add(),
    register(registry) {
      registry.add(gauge);
      registry.add(counter);
      registry.onCollect(() => {
        // Removes the series of deleted APIServices.
        gauge.reset();
        for (const { name, isAvailable } of current()) gauge.with(name).set(isAvailable ? 0 : 1);
      });
    },
  };
}
