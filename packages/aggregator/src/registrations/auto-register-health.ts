import type { APIService } from '@tributary/api/apiregistration-v1';
import type { Informer } from '@tributary/client';
import type { HealthCheck, HealthEndpoint } from '@tributary/server';
import { postStartHookCheck } from './hook-check.ts';

const ALL: readonly HealthEndpoint[] = ['healthz', 'livez', 'readyz'];

/** Whether every local group version was registered and seen available at least once. */
export function registrationChecks({
  names,
  informer,
  begun,
}: {
  readonly names: Iterable<string>;
  readonly informer: Informer<APIService>;
  readonly begun: () => boolean;
}): { readonly checks: readonly HealthCheck[]; close(): void } {
  const missing = new Set(names);
  const see = ({ metadata, status }: APIService) => {
    if (isAvailable(status)) missing.delete(metadata.name ?? '');
    // An APIService that was seen once does not count as missing again.
    if (missing.size === 0) subscription.close();
  };
  const subscription = informer.addHandler({ onAdd: see, onUpdate: (_old, next) => see(next) });
  return {
    checks: [
      {
        name: 'autoregister-completion',
        endpoints: ALL,
        check: () =>
          missing.size === 0 ? undefined : `missing APIService: [${[...missing].sort().join(' ')}]`,
      },
      postStartHookCheck('kube-apiserver-autoregistration', begun),
    ],
    close: () => subscription.close(),
  };
}

function isAvailable({ conditions = [] }: APIService['status']): boolean {
  return conditions.some(({ type, status }) => type === 'Available' && status === 'True');
}
