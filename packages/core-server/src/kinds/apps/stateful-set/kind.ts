import { StatefulSet } from '@tributary/api/apps-v1';
import { root } from '@tributary/apimachinery';
import { notNegative } from '../../core/pod-template/validate-probes.ts';
import { column } from '../../shared/columns.ts';
import { storedKind } from '../../shared/stored-kind.ts';
import { containerColumns } from '../../shared/workload-columns.ts';
import { validateReplicaStatus, validateSelection } from '../../shared/workload-validation.ts';
import { defaultStatefulSet } from './defaults.ts';
import { fixedPartChange, validatePolicies } from './validation.ts';

const SPEC = root('spec');

export const statefulSetKind = storedKind<StatefulSet>({
  typed: StatefulSet,
  plural: 'statefulsets',
  shortNames: ['sts'],
  categories: ['all'],
  names: 'dns-label',
  generation: true,
  status: true,
  scaledBy: '.spec.selector',
  columns: [
    column(
      'Ready',
      'How many pods are ready, of those that are wanted',
      ({ spec, status }) => `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
    ),
  ],
  wideColumns: containerColumns<StatefulSet>(({ spec }) => spec.template.spec.containers),
  applyDefaults: defaultStatefulSet,
  validate: ({ spec }) => [
    ...validatePolicies(spec),
    ...notNegative(SPEC.child('replicas'), spec.replicas),
    ...notNegative(SPEC.child('minReadySeconds'), spec.minReadySeconds),
    ...validateSelection(spec, SPEC, { of: 'statefulset' }),
  ],
  validateChange: ({ spec }, live) => fixedPartChange(spec, live.spec),
  validateStatus: ({ status }) => validateReplicaStatus(status),
});
