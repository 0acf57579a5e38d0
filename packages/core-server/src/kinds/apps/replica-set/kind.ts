import { ReplicaSet } from '@tributary/api/apps-v1';
import { root } from '@tributary/apimachinery';
import { defineResource, version } from '@tributary/server/definition';
import { defaultPodSpec } from '../../core/pod-template/defaults.ts';
import { notNegative } from '../../core/pod-template/validate-probes.ts';
import { tableColumns } from '../../shared/columns.ts';
import { replicaScale } from '../../shared/replica-scale.ts';
import { validationHooks } from '../../shared/validation-hooks.ts';
import { containerColumns, replicaColumns, selectorColumn } from '../../shared/workload-columns.ts';
import { validateReplicaStatus, validateSelection } from '../../shared/workload-validation.ts';
import { validateSelectorUnchanged } from '../shared/immutable-selector.ts';

const SPEC = root('spec');

export const replicaSetKind = defineResource({
  kind: 'ReplicaSet',
  plural: 'replicasets',
  shortNames: ['rs'],
  categories: ['all'],
  scope: 'Namespaced',
  allowUnconditionalUpdate: true,
  subresources: { status: true, scale: replicaScale },
  resetFields: { status: ['spec'] },
  versions: {
    v1: version({
      typed: ReplicaSet,
      columns: tableColumns<ReplicaSet>({
        columns: replicaColumns,
        wide: [
          ...containerColumns<ReplicaSet>(({ spec }) => spec.template.spec.containers),
          selectorColumn<ReplicaSet>(({ spec }) => spec.selector),
        ],
      }),
      applyDefaults: ({ spec }) => {
        spec.replicas ??= 1;
        defaultPodSpec(spec.template.spec);
      },
      ...validationHooks<ReplicaSet>({
        hasStatus: true,
        validate: ({ spec }) => [
          ...notNegative(SPEC.child('replicas'), spec.replicas),
          ...notNegative(SPEC.child('minReadySeconds'), spec.minReadySeconds),
          ...validateSelection(spec, SPEC, { of: 'replicaset' }),
        ],
        validateUpdate: (next, live) => validateSelectorUnchanged(next.spec, live.spec),
        validateStatusUpdate: ({ status }) => validateReplicaStatus(status),
      }),
    }),
  },
});
