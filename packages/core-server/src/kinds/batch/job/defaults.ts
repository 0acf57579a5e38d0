import type { JobSpec } from '@tributary/api/batch-v1';
import { defaultPodSpec } from '../../core/pod-template/defaults.ts';

const BACKOFF = 6;

const BACKOFF_OF_INDEXES = 2 ** 31 - 1;

export function defaultJobSpec(spec: JobSpec): void {
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? BACKOFF : BACKOFF_OF_INDEXES;
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed';
  spec.manualSelector ??= false;
  defaultPodSpec(spec.template.spec);
}
