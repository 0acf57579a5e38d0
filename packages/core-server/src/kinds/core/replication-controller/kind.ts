import { ReplicationController } from '@tributary/api/core-v1';
import { defineResource, version } from '@tributary/server/definition';
import { column, tableColumns } from '../../shared/columns.ts';
import { replicaScale } from '../../shared/replica-scale.ts';
import { validationHooks } from '../../shared/validation-hooks.ts';
import { containerColumns, labelsText, replicaColumns } from '../../shared/workload-columns.ts';
import { validateReplicaStatus } from '../../shared/workload-validation.ts';
import { defaultReplicationController } from './defaults.ts';
import { validateReplicationController } from './validation.ts';

export const replicationControllerKind = defineResource({
  kind: 'ReplicationController',
  plural: 'replicationcontrollers',
  shortNames: ['rc'],
  categories: ['all'],
  scope: 'Namespaced',
  allowUnconditionalUpdate: true,
  subresources: { status: true, scale: replicaScale },
  resetFields: { status: ['spec'] },
  lifecycle: { orphansByDefault: {} },
  versions: {
    v1: version({
      typed: ReplicationController,
      columns: tableColumns<ReplicationController>({
        columns: replicaColumns,
        wide: [
          ...containerColumns<ReplicationController>(({ spec }) => spec.template?.spec.containers),
          column('Selector', 'The label selector of its pods', ({ spec }) =>
            labelsText(spec.selector),
          ),
        ],
      }),
      restrictsFieldLabels: true,
      selectableFields: ['status.replicas'],
      applyDefaults: defaultReplicationController,
      ...validationHooks<ReplicationController>({
        hasStatus: true,
        declarativeName: true,
        validate: ({ spec }) => validateReplicationController(spec),
        validateStatusUpdate: ({ status }) => validateReplicaStatus(status),
      }),
    }),
  },
});
