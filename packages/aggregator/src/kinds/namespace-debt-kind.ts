import type { ResourceDefinition } from '@tributary/server';
import { ageColumn, defineResource, nameColumn, version } from '@tributary/server/definition';
import { NamespaceDebt } from './namespace-debt.ts';
import { validateNamespaceDebt, validateNamespaceDebtUpdate } from './validate-namespace-debt.ts';

/** Content of deleted namespaces that remains on unavailable backends. */
export const namespaceDebtKind: ResourceDefinition<NamespaceDebt> = defineResource({
  kind: 'NamespaceDebt',
  plural: 'namespacedebts',
  scope: 'Cluster',
  subresources: { status: true },
  versions: {
    v1: version({
      typed: NamespaceDebt,
      columns: [
        nameColumn,
        {
          name: 'Namespace',
          description: 'The name of the namespace that is gone',
          cell: ({ spec }) => spec.namespace,
        },
        {
          name: 'APIService',
          description: 'Whose server could not be asked',
          cell: ({ spec }) => spec.apiService,
        },
        {
          name: 'Since',
          type: 'date',
          description: 'How long ago the namespace went',
          cell: ({ spec }) => spec.since,
        },
        ageColumn,
      ],
      validate: validateNamespaceDebt,
      validateUpdate: validateNamespaceDebtUpdate,
    }),
  },
});
