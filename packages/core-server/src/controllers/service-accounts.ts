import type { ServiceAccount } from '@tributary/api/core-v1';
import { runPerNamespace } from './per-namespace.ts';
import { serviceAccounts } from './resources.ts';
import type { ControllerSurroundings } from './surroundings.ts';

const NAME = 'default';

/** Every namespace has a service account that its pods are, unless they say otherwise. */
export function runServiceAccountController(surroundings: ControllerSurroundings): Promise<void> {
  const { done } = runPerNamespace<ServiceAccount>(
    {
      name: 'serviceaccount',
      type: serviceAccounts,
      objectName: NAME,
      wanted: (namespace) => ({
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: NAME, namespace },
      }),
    },
    surroundings,
  );
  return done;
}
