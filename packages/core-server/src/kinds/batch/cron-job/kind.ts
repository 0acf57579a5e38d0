import { CronJob } from '@tributary/api/batch-v1';
import { humanDuration } from '@tributary/apimachinery';
import { defineResource, version } from '@tributary/server/definition';
import { defaultPodSpec } from '../../core/pod-template/defaults.ts';
import { column, count, tableColumns } from '../../shared/columns.ts';
import { validationHooks } from '../../shared/validation-hooks.ts';
import { containerColumns, selectorColumn } from '../../shared/workload-columns.ts';
import { validateCronJob } from './validation.ts';

export const cronJobKind = defineResource({
  kind: 'CronJob',
  plural: 'cronjobs',
  shortNames: ['cj'],
  categories: ['all'],
  scope: 'Namespaced',
  allowUnconditionalUpdate: true,
  subresources: { status: true },
  resetFields: { status: ['spec'] },
  versions: {
    v1: version({
      typed: CronJob,
      columns: tableColumns<CronJob>({
        columns: [
          column('Schedule', 'When it starts a job', ({ spec }) => spec.schedule),
          column('Timezone', 'Where that is the time', ({ spec }) => spec.timeZone ?? '<none>'),
          {
            name: 'Suspend',
            type: 'boolean',
            description: 'Whether it starts no jobs for now',
            cell: ({ spec }) =>
              spec.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False',
          },
          count('Active', 'How many jobs run', ({ status }) => status.active?.length),
          column(
            'Last Schedule',
            'When it last started a job',
            ({ status: { lastScheduleTime } }) =>
              lastScheduleTime
                ? humanDuration(Date.now() - Date.parse(lastScheduleTime))
                : '<none>',
          ),
        ],
        wide: [
          ...containerColumns<CronJob>(
            ({ spec }) => spec.jobTemplate.spec.template.spec.containers,
          ),
          selectorColumn<CronJob>(({ spec }) => spec.jobTemplate.spec.selector),
        ],
      }),
      applyDefaults: ({ spec }) => {
        spec.concurrencyPolicy ||= 'Allow';
        spec.suspend ??= false;
        spec.successfulJobsHistoryLimit ??= 3;
        spec.failedJobsHistoryLimit ??= 1;
        defaultPodSpec(spec.jobTemplate.spec.template.spec);
      },
      ...validationHooks<CronJob>({
        hasStatus: true,
        validate: ({ spec }) => validateCronJob(spec),
      }),
    }),
  },
});
