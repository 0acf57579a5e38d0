/** How long the specs of upstream's suite may take. */

/** A part of a spec's own text, and the timeout of the specs that contain it. */
export const specTimeouts: Readonly<Record<string, string>> = {
  compacted: '10m',
  cronjob: '6m',
  CronJob: '6m',
  'multiple jobs concurrently': '6m',
  ReplaceConcurrent: '6m',
  ForbidConcurrent: '6m',
  'remove from active list jobs': '6m',
  'successful finished jobs': '6m',
  'jobs when suspended': '6m',
  'missed schedule': '6m',
  'support timezone': '6m',
  'in 150 seconds': '5m',
  ResourceQuota: '3m',
  'watch on custom resource definition objects': '3m',
};

/** Every other spec; a failing one about quota would wait for minutes. */
export const SPEC_TIMEOUT = '90s';
