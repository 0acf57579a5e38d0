import { isDeepStrictEqual } from 'node:util';
import { CronJob, type CronJobSpec, Job, type JobSpec } from '@tributary/api/batch-v1';
import {
  type FieldError,
  type FieldPath,
  fieldError,
  fieldImmutable,
  goQuote,
  humanDuration,
  root,
} from '@tributary/apimachinery';
import { selectorOf, validateSelectorTerms } from '../../rbac/label-selector-terms.ts';
import { defaultPodSpec } from '../core/pod-template/defaults.ts';
import { notNegative } from '../core/pod-template/validate-probes.ts';
import { validatePodTemplate } from '../core/pod-template/validation.ts';
import {
  column,
  containerColumns,
  count,
  selectorColumn,
  shownSelector,
} from '../shared/pod-parts.ts';
import { storedKind } from '../shared/stored-kind.ts';
import { scheduleErrors, timeZoneErrors } from './cron-job/schedule.ts';

const SPEC = root('spec');
const BACKOFF = 6;
const BACKOFF_OF_INDEXES = 2 ** 31 - 1;
/** Upstream keeps for batch/v1 what was usual before there were policies, and tells who may not know. */
const ORPHANS =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning';
const CONTROLLER_UID = 'batch.kubernetes.io/controller-uid';

export const jobKind = storedKind<Job>({
  typed: Job,
  metadataOnUpdate: 'twice',
  plural: 'jobs',
  categories: ['all'],
  generation: true,
  status: true,
  lifecycle: { orphansByDefault: { warning: ORPHANS } },
  hasOwnFieldLabels: (field) => `field label ${goQuote(field)} not supported for Job`,
  selectableFields: [
    { path: 'status.successful', value: ({ status }) => String(status.succeeded ?? 0) },
  ],
  columns: [
    column('Status', 'How far it is', jobStatus),
    column('Completions', 'How many pods have succeeded, of those that must', completionsText),
    column('Duration', 'How long it took, or has taken', durationText),
  ],
  wideColumns: [
    ...containerColumns<Job>(({ spec }) => spec.template.spec.containers),
    selectorColumn<Job>(({ spec }) => spec.selector),
  ],
  applyDefaults: (job) => {
    const { labels } = job.spec.template.metadata;
    if (labels && Object.keys(job.metadata.labels ?? {}).length === 0) job.metadata.labels = labels;
    defaultJobSpec(job.spec);
  },
  prepareForCreate: generateSelector,
  validate: validateJob,
  validateChange: (next, live) => validateJobChange(next.spec, live.spec),
});

export const cronJobKind = storedKind<CronJob>({
  typed: CronJob,
  plural: 'cronjobs',
  shortNames: ['cj'],
  categories: ['all'],
  generation: true,
  status: true,
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
    column('Last Schedule', 'When it last started a job', ({ status: { lastScheduleTime } }) =>
      lastScheduleTime ? humanDuration(Date.now() - Date.parse(lastScheduleTime)) : '<none>',
    ),
  ],
  wideColumns: [
    ...containerColumns<CronJob>(({ spec }) => spec.jobTemplate.spec.template.spec.containers),
    selectorColumn<CronJob>(({ spec }) => spec.jobTemplate.spec.selector),
  ],
  applyDefaults: ({ spec }) => {
    spec.concurrencyPolicy ||= 'Allow';
    spec.suspend ??= false;
    spec.successfulJobsHistoryLimit ??= 3;
    spec.failedJobsHistoryLimit ??= 1;
    defaultPodSpec(spec.jobTemplate.spec.template.spec);
  },
  validate: ({ spec }) => validateCronJob(spec),
});

function defaultJobSpec(spec: JobSpec): void {
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? BACKOFF : BACKOFF_OF_INDEXES;
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed';
  spec.manualSelector ??= false;
  defaultPodSpec(spec.template.spec);
}

/** Unless somebody chooses pods by hand, a job knows its own by its uid. */
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

function validateJob({ metadata, spec }: Job): FieldError[] {
  const errors = validateJobSpec(spec, SPEC);
  const path = SPEC.child('selector');
  const { selector, template } = spec;
  if (!selector) return [fieldError.required(path), ...errors];
  const found = validateSelectorTerms(selector, path);
  const { labels } = template.metadata;
  const own = { matchLabels: { [CONTROLLER_UID]: metadata.uid ?? '' } };
  if (!spec.manualSelector && metadata.uid && !isDeepStrictEqual({ ...selector }, own)) {
    found.push(fieldError.invalid(path, shownSelector(selector), '`selector` not auto-generated'));
  }
  if (!selectorOf(selector)?.matches(labels)) {
    const place = SPEC.child('template', 'metadata', 'labels');
    found.push(
      fieldError.invalid(place, labels ?? null, '`selector` does not match template `labels`'),
    );
  }
  return [...errors, ...found];
}

function validateJobSpec(spec: JobSpec, path: FieldPath): FieldError[] {
  const numbers = [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
  ] as const;
  const at = path.child('template');
  return [
    ...numbers.flatMap((name) => notNegative(path.child(name), spec[name])),
    ...validatePodTemplate(spec.template, at),
    ...ends(spec.template.spec.restartPolicy, at.child('spec', 'restartPolicy')),
  ];
}

/** Pods of a job end; what upstream says depends on whether the policy is a known one. */
function ends(policy = '', path: FieldPath): FieldError[] {
  if (policy === 'OnFailure' || policy === 'Never') return [];
  return policy === '' || policy === 'Always'
    ? [fieldError.required(path, 'valid values: "OnFailure", "Never"')]
    : [fieldError.notSupported(path, policy, ['OnFailure', 'Never'])];
}

function validateJobChange(next: JobSpec, live: JobSpec): FieldError[] {
  const errors = (['completions', 'selector', 'completionMode'] as const)
    .filter((name) => !isDeepStrictEqual(next[name], live[name]))
    .map((name) => fieldError.invalid(SPEC.child(name), shownField(next, name), fieldImmutable));
  return errors;
}

function shownField(spec: JobSpec, name: 'completions' | 'selector' | 'completionMode') {
  return name === 'selector' ? shownSelector(spec.selector) : (spec[name] ?? null);
}

const POLICIES = ['Allow', 'Forbid', 'Replace'];

function validateCronJob(spec: CronJobSpec): FieldError[] {
  const job = SPEC.child('jobTemplate', 'spec');
  const policy = spec.concurrencyPolicy ?? '';
  return [
    ...scheduleErrors(spec.schedule, SPEC.child('schedule')),
    ...notNegative(SPEC.child('startingDeadlineSeconds'), spec.startingDeadlineSeconds),
    ...timeZoneErrors(spec.timeZone, SPEC.child('timeZone')),
    ...(POLICIES.includes(policy)
      ? []
      : [fieldError.notSupported(SPEC.child('concurrencyPolicy'), policy, POLICIES)]),
    ...validateJobSpec(spec.jobTemplate.spec, job),
    ...notNegative(SPEC.child('successfulJobsHistoryLimit'), spec.successfulJobsHistoryLimit),
    ...notNegative(SPEC.child('failedJobsHistoryLimit'), spec.failedJobsHistoryLimit),
  ];
}

function jobStatus({ metadata, status }: Job): string {
  const holds = (wanted: string) =>
    (status.conditions ?? []).find(({ type }) => type === wanted)?.status === 'True';
  if (holds('Complete')) return 'Complete';
  if (holds('Failed')) return 'Failed';
  if (metadata.deletionTimestamp) return 'Terminating';
  return (
    ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find((wanted) => holds(wanted)) ??
    'Running'
  );
}

function completionsText({ spec, status: { succeeded = 0 } }: Job): string {
  if (spec.completions !== undefined) return `${succeeded}/${spec.completions}`;
  const { parallelism = 0 } = spec;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationText({ status: { startTime, completionTime } }: Job): string {
  if (!startTime) return '';
  const end = completionTime ? Date.parse(completionTime) : Date.now();
  return humanDuration(end - Date.parse(startTime));
}
