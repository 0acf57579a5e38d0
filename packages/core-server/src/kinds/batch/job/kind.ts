import { Job } from '@tributary/api/batch-v1';
import { goQuote } from '@tributary/apimachinery';
import { defineResource, version } from '@tributary/server/definition';
import { column, tableColumns } from '../../shared/columns.ts';
import { validationHooks } from '../../shared/validation-hooks.ts';
import { containerColumns, selectorColumn } from '../../shared/workload-columns.ts';
import { completionsText, durationText, jobStatus } from './columns.ts';
import { defaultJobSpec } from './defaults.ts';
import { CONTROLLER_UID, validateJob, validateJobChange } from './validation.ts';

/** Upstream keeps this default of batch/v1 from before propagation policies, and warns clients of it. */
const ORPHANS =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning';

export const jobKind = defineResource({
  kind: 'Job',
  plural: 'jobs',
  categories: ['all'],
  scope: 'Namespaced',
  allowUnconditionalUpdate: true,
  subresources: { status: true },
  resetFields: { status: ['spec'] },
  lifecycle: { orphansByDefault: { warning: ORPHANS } },
  versions: {
    v1: version({
      typed: Job,
      columns: tableColumns<Job>({
        columns: [
          column('Status', 'The state of the job', jobStatus),
          column('Completions', 'Succeeded pods, of the required ones', completionsText),
          column('Duration', 'The time since the start, until completion', durationText),
        ],
        wide: [
          ...containerColumns<Job>(({ spec }) => spec.template.spec.containers),
          selectorColumn<Job>(({ spec }) => spec.selector),
        ],
      }),
      restrictsFieldLabels: (field) => `field label ${goQuote(field)} not supported for Job`,
      selectableFields: [
        { path: 'status.successful', value: ({ status }) => String(status.succeeded ?? 0) },
      ],
      applyDefaults: (job) => {
        const { labels } = job.spec.template.metadata;
        if (labels && Object.keys(job.metadata.labels ?? {}).length === 0)
          job.metadata.labels = labels;
        defaultJobSpec(job.spec);
      },
      prepareForCreate: generateSelector,
      ...validationHooks<Job>({
        hasStatus: true,
        metadataOnUpdate: 'twice',
        validate: validateJob,
        validateUpdate: (next, live) => validateJobChange(next.spec, live.spec),
      }),
    }),
  },
});

/** Without `manualSelector`, a job selects its pods by its uid. */
function generateSelector({ metadata, spec }: Job): void {
  if (spec.manualSelector) return;
  const { uid = '', name = '' } = metadata;
  spec.template.metadata.labels = {
    ...spec.template.metadata.labels,
    'job-name': name,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    [CONTROLLER_UID]: uid,
  };
  const { matchLabels, ...rest } = spec.selector ?? {};
  spec.selector = { ...rest, matchLabels: { ...matchLabels, [CONTROLLER_UID]: uid } };
}
