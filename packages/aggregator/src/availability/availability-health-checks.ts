import type { HealthCheck } from '@tributary/server';

/** Upstream's names of what runs here. They say that somebody looks, never what was found. */
export function availabilityHealthChecks(isRunning: () => boolean): readonly HealthCheck[] {
  return ['local', 'remote'].map((kind) => ({
    name: `poststarthook/apiservice-status-${kind}-available-controller`,
    endpoints: ['healthz', 'livez', 'readyz'],
    check: () => (isRunning() ? undefined : 'not running'),
  }));
}
