import { isDeepStrictEqual } from 'node:util';
import { DaemonSet } from '@tributary/api/apps-v1';
import { root } from '@tributary/apimachinery';
import { defineResource, version } from '@tributary/server/definition';
import { notNegative } from '../../core/pod-template/validate-probes.ts';
import { column, count, tableColumns } from '../../shared/columns.ts';
import { validationHooks } from '../../shared/validation-hooks.ts';
import { containerColumns, labelsText, selectorColumn } from '../../shared/workload-columns.ts';
import { validateSelection } from '../../shared/workload-validation.ts';
import { validateSelectorUnchanged } from '../shared/immutable-selector.ts';
import { defaultDaemonSet, setTemplateGeneration, TEMPLATE_GENERATION } from './defaults.ts';
import { validateStrategy } from './validation.ts';

const SPEC = root('spec');

export const daemonSetKind = defineResource({
  kind: 'DaemonSet',
  plural: 'daemonsets',
  shortNames: ['ds'],
  categories: ['all'],
  scope: 'Namespaced',
  allowUnconditionalUpdate: true,
  subresources: { status: true },
  resetFields: { status: ['spec'] },
  versions: {
    v1: version({
      typed: DaemonSet,
      columns: tableColumns<DaemonSet>({
        columns: [
          count(
            'Desired',
            'Nodes that should run the pod',
            ({ status }) => status.desiredNumberScheduled,
          ),
          count('Current', 'Nodes that run the pod', ({ status }) => status.currentNumberScheduled),
          count('Ready', 'Nodes whose pod is ready', ({ status }) => status.numberReady),
          count(
            'Up-to-date',
            'Nodes whose pod has the current template',
            ({ status }) => status.updatedNumberScheduled,
          ),
          count(
            'Available',
            'Nodes whose pod has been ready for minReadySeconds',
            ({ status }) => status.numberAvailable,
          ),
          column('Node Selector', 'The labels of the nodes', ({ spec }) =>
            labelsText(spec.template.spec.nodeSelector),
          ),
        ],
        wide: [
          ...containerColumns<DaemonSet>(({ spec }) => spec.template.spec.containers),
          selectorColumn<DaemonSet>(({ spec }) => spec.selector),
        ],
      }),
      versionAnnotations: [TEMPLATE_GENERATION],
      applyDefaults: defaultDaemonSet,
      prepareForUpdate: (next, live) => {
        const before = Number(live.metadata.annotations?.[TEMPLATE_GENERATION] ?? 0);
        const isSame = isDeepStrictEqual(next.spec.template, live.spec.template);
        setTemplateGeneration(next, isSame ? before : before + 1);
      },
      ...validationHooks<DaemonSet>({
        hasStatus: true,
        validate: ({ spec }) => [
          ...validateSelection(spec, SPEC, { of: 'daemonset', mayBeMissing: true }),
          ...notNegative(SPEC.child('minReadySeconds'), spec.minReadySeconds),
          ...validateStrategy(spec),
          ...notNegative(SPEC.child('revisionHistoryLimit'), spec.revisionHistoryLimit),
        ],
        validateUpdate: (next, live) => validateSelectorUnchanged(next.spec, live.spec),
        updateErrorsFirst: true,
      }),
    }),
  },
});
