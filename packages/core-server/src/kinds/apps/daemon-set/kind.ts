import { isDeepStrictEqual } from 'node:util';
import { DaemonSet } from '@tributary/api/apps-v1';
import { root } from '@tributary/apimachinery';
import { defineResource, version } from '@tributary/server/definition';
import { notNegative } from '../../core/pod-template/validate-probes.ts';
import { column, count, tableColumns } from '../../shared/columns.ts';
import { validationHooks } from '../../shared/validation-hooks.ts';
import { containerColumns, labelsText, selectorColumn } from '../../shared/workload-columns.ts';
import { validateSelection } from '../../shared/workload-validation.ts';
import { selectorChange } from '../shared/immutable-selector.ts';
import { defaultDaemonSet, noteTemplate, TEMPLATE_GENERATION } from './defaults.ts';
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
            'On how many nodes it should run',
            ({ status }) => status.desiredNumberScheduled,
          ),
          count(
            'Current',
            'On how many nodes it is',
            ({ status }) => status.currentNumberScheduled,
          ),
          count('Ready', 'On how many nodes it is ready', ({ status }) => status.numberReady),
          count(
            'Up-to-date',
            'On how many nodes it has the present template',
            ({ status }) => status.updatedNumberScheduled,
          ),
          count(
            'Available',
            'On how many nodes it has been ready for long enough',
            ({ status }) => status.numberAvailable,
          ),
          column('Node Selector', 'Which nodes it is for', ({ spec }) =>
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
        noteTemplate(next, isSame ? before : before + 1);
      },
      ...validationHooks<DaemonSet>({
        hasStatus: true,
        validate: ({ spec }) => [
          ...validateSelection(spec, SPEC, { of: 'daemonset', mayBeMissing: true }),
          ...notNegative(SPEC.child('minReadySeconds'), spec.minReadySeconds),
          ...validateStrategy(spec),
          ...notNegative(SPEC.child('revisionHistoryLimit'), spec.revisionHistoryLimit),
        ],
        validateUpdate: (next, live) => selectorChange(next.spec, live.spec),
        updateErrorsFirst: true,
      }),
    }),
  },
});
