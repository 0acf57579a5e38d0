import { GaugeFamily, type MetricsRegistry } from '@tributary/server/operations';

/** How many namespaces that are gone have left something, by the server that has it. */
export function registerDebtMetrics(
  registry: MetricsRegistry,
  counts: () => Iterable<readonly [apiService: string, count: number]>,
): void {
  const gauge = new GaugeFamily({
    name: 'tributary_namespace_debts',
    help: 'Namespaces that are gone and have left objects on a server that could not be asked, by APIService',
    labelNames: ['apiservice'],
  });
  registry.add(gauge);
  registry.onCollect(() => {
    // Removes series of debts that were paid.
    gauge.reset();
    for (const [apiService, count] of counts()) gauge.with(apiService).set(count);
  });
}
