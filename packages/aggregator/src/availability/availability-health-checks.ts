import type { HealthCheck } from '@tributary/server';

/** Health checks with upstream's names. They report whether the controllers run, never what these found. */
export function availabilityHealthChecks(isRunning: () => boolean): readonly HealthCheck[] {
  return ['local', 'remote'].map((kind) => ({
    name: `poststarthook/apiservice-status-${kind}-available-controller`,
    endpoints: ['healthz', 'livez', 'readyz'],
    check: () => (isRunning() ? undefined : 'not running'),
  }));
}
