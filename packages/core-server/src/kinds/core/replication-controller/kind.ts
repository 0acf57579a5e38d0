import { ReplicationController } from '@tributary/api/core-v1';
import { column } from '../../shared/columns.ts';
import { storedKind } from '../../shared/stored-kind.ts';
import { containerColumns, labelsText, replicaColumns } from '../../shared/workload-columns.ts';
import { validateReplicaStatus } from '../../shared/workload-validation.ts';
import { defaultReplicationController } from './defaults.ts';
import { validateReplicationController } from './validation.ts';

export const replicationControllerKind = storedKind<ReplicationController>({
  typed: ReplicationController,
  plural: 'replicationcontrollers',
  declaredName: true,
  shortNames: ['rc'],
  categories: ['all'],
  generation: true,
  status: true,
  scaledBy: '.spec.selector',
  lifecycle: { orphansByDefault: {} },
  restrictsFieldLabels: true,
  selectableFields: ['status.replicas'],
  columns: replicaColumns,
  wideColumns: [
    ...containerColumns<ReplicationController>(({ spec }) => spec.template?.spec.containers),
    column('Selector', 'By which labels its pods are found', ({ spec }) =>
      labelsText(spec.selector),
    ),
  ],
  applyDefaults: defaultReplicationController,
  validate: ({ spec }) => validateReplicationController(spec),
  validateStatus: ({ status }) => validateReplicaStatus(status),
});
