import type { ServiceAccount } from '@tributary/api/core-v1';
import { type ControllerDependencies, serviceAccounts } from '@tributary/client/controller';
import { runPerNamespace } from './per-namespace.ts';

const NAME = 'default';

/** Creates the service account `default` in every namespace. */
export function runServiceAccountController(dependencies: ControllerDependencies): Promise<void> {
  const { done } = runPerNamespace<ServiceAccount>(
    {
      name: 'serviceaccount',
      type: serviceAccounts,
      objectName: NAME,
      desired: (namespace) => ({
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: NAME, namespace },
      }),
    },
    dependencies,
  );
  return done;
}
