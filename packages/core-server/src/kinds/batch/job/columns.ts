import type { Job } from '@tributary/api/batch-v1';
import { humanDuration } from '@tributary/apimachinery';

export function jobStatus({ metadata, status }: Job): string {
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

export function completionsText({ spec, status: { succeeded = 0 } }: Job): string {
  if (spec.completions !== undefined) return `${succeeded}/${spec.completions}`;
  const { parallelism = 0 } = spec;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

export function durationText({ status: { startTime, completionTime } }: Job): string {
  if (!startTime) return '';
  const end = completionTime ? Date.parse(completionTime) : Date.now();
  return humanDuration(end - Date.parse(startTime));
}
