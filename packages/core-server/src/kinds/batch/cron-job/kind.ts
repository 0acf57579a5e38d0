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
          column('Schedule', 'The schedule in cron format', ({ spec }) => spec.schedule),
          column(
            'Timezone',
            'The time zone of the schedule',
            ({ spec }) => spec.timeZone ?? '<none>',
          ),
          {
            name: 'Suspend',
            type: 'boolean',
            description: 'Whether it starts no new jobs',
            cell: ({ spec }) =>
              spec.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False',
          },
          count('Active', 'The number of running jobs', ({ status }) => status.active?.length),
          column(
            'Last Schedule',
            'The time since the last start of a job',
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
