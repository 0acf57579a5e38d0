import type { HealthCheck } from '@tributary/server';

/** Health checks by name whose implementation exists only after the start. Until then they fail. */
export function checksAfterStart(
  names: readonly string[],
  find: (name: string) => HealthCheck | undefined,
): readonly HealthCheck[] {
  return names.map((name) => ({
    name,
    endpoints: ['healthz', 'livez', 'readyz'],
    check: () => {
      const check = find(name);
      return check === undefined ? 'not finished' : check.check();
    },
  }));
}
