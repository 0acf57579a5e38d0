import { StatefulSet } from '@tributary/api/apps-v1';
import { root } from '@tributary/apimachinery';
import { defineResource, version } from '@tributary/server/definition';
import { notNegative } from '../../core/pod-template/validate-probes.ts';
import { column, tableColumns } from '../../shared/columns.ts';
import { replicaScale } from '../../shared/replica-scale.ts';
import { validationHooks } from '../../shared/validation-hooks.ts';
import { containerColumns } from '../../shared/workload-columns.ts';
import { validateReplicaStatus, validateSelection } from '../../shared/workload-validation.ts';
import { defaultStatefulSet } from './defaults.ts';
import { validateImmutableFields, validatePolicies } from './validation.ts';

const SPEC = root('spec');

export const statefulSetKind = defineResource({
  kind: 'StatefulSet',
  plural: 'statefulsets',
  shortNames: ['sts'],
  categories: ['all'],
  scope: 'Namespaced',
  names: 'dns-label',
  allowUnconditionalUpdate: true,
  subresources: { status: true, scale: replicaScale },
  resetFields: { status: ['spec'] },
  versions: {
    v1: version({
      typed: StatefulSet,
      columns: tableColumns<StatefulSet>({
        columns: [
          column(
            'Ready',
            'Ready pods, of the desired ones',
            ({ spec, status }) => `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
          ),
        ],
        wide: containerColumns<StatefulSet>(({ spec }) => spec.template.spec.containers),
      }),
      applyDefaults: defaultStatefulSet,
      ...validationHooks<StatefulSet>({
        hasStatus: true,
        names: 'dns-label',
        validate: ({ spec }) => [
          ...validatePolicies(spec),
          ...notNegative(SPEC.child('replicas'), spec.replicas),
          ...notNegative(SPEC.child('minReadySeconds'), spec.minReadySeconds),
          ...validateSelection(spec, SPEC, { of: 'statefulset' }),
        ],
        validateUpdate: ({ spec }, live) => validateImmutableFields(spec, live.spec),
        validateStatusUpdate: ({ status }) => validateReplicaStatus(status),
      }),
    }),
  },
});
