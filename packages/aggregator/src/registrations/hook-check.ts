import type { HealthCheck } from '@tributary/server';

/** Whether something that begins with the server is through with its beginning, under the name that upstream gives it. */
export function postStartHookCheck(name: string, isFinished: () => boolean): HealthCheck {
  return {
    name: `poststarthook/${name}`,
    endpoints: ['healthz', 'livez', 'readyz'],
    check: () => (isFinished() ? undefined : 'not finished'),
  };
}
