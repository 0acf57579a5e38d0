import type { HealthCheck } from '@tributary/server';

/** The health check of a post-start hook, under upstream's name. */
export function postStartHookCheck(name: string, isFinished: () => boolean): HealthCheck {
  return {
    name: `poststarthook/${name}`,
    endpoints: ['healthz', 'livez', 'readyz'],
    check: () => (isFinished() ? undefined : 'not finished'),
  };
}
