import type { CronJobSpec } from '@tributary/api/batch-v1';
import { type FieldError, fieldError, root } from '@tributary/apimachinery';
import { notNegative } from '../../core/pod-template/validate-probes.ts';
import { validateJobSpec } from '../job/validation.ts';
import { scheduleErrors, timeZoneErrors } from './schedule.ts';

const SPEC = root('spec');

const POLICIES = ['Allow', 'Forbid', 'Replace'];

export function validateCronJob(spec: CronJobSpec): FieldError[] {
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
