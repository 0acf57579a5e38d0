import { ReplicaSet } from '@tributary/api/apps-v1';
import { root } from '@tributary/apimachinery';
import { defaultPodSpec } from '../../core/pod-template/defaults.ts';
import { notNegative } from '../../core/pod-template/validate-probes.ts';
import { storedKind } from '../../shared/stored-kind.ts';
import { containerColumns, replicaColumns, selectorColumn } from '../../shared/workload-columns.ts';
import { validateReplicaStatus, validateSelection } from '../../shared/workload-validation.ts';
import { selectorChange } from '../shared/immutable-selector.ts';

const SPEC = root('spec');

export const replicaSetKind = storedKind<ReplicaSet>({
  typed: ReplicaSet,
  plural: 'replicasets',
  shortNames: ['rs'],
  categories: ['all'],
  generation: true,
  status: true,
  scaledBy: '.spec.selector',
  columns: replicaColumns,
  wideColumns: [
    ...containerColumns<ReplicaSet>(({ spec }) => spec.template.spec.containers),
    selectorColumn<ReplicaSet>(({ spec }) => spec.selector),
  ],
  applyDefaults: ({ spec }) => {
    spec.replicas ??= 1;
    defaultPodSpec(spec.template.spec);
  },
  validate: ({ spec }) => [
    ...notNegative(SPEC.child('replicas'), spec.replicas),
    ...notNegative(SPEC.child('minReadySeconds'), spec.minReadySeconds),
    ...validateSelection(spec, SPEC, { of: 'replicaset' }),
  ],
  validateChange: (next, live) => selectorChange(next.spec, live.spec),
  validateStatus: ({ status }) => validateReplicaStatus(status),
});
