import type { PriorityClass } from '@tributary/api/scheduling-v1';
import { fieldError, root } from '@tributary/apimachinery';
import { systemPriorities } from './system-priorities.ts';

const PRIORITY_MAX = 1_000_000_000;

const RESERVED = 'system-';

const PREEMPTION = ['PreemptLowerPriority', 'Never'];

export function validatePriority({ metadata, value }: PriorityClass) {
  const name = metadata.name ?? '';
  if (name.startsWith(RESERVED)) {
    const wanted = systemPriorities.get(name);
    if (wanted === value) return [];
    const reason =
      wanted === undefined
        ? `${name} is not a known system priority class`
        : `value of ${name} PriorityClass must be ${wanted}`;
    const detail = `priority class names with '${RESERVED}' prefix are reserved for system use only. error: ${reason}`;
    return [fieldError.forbidden(root('metadata').child('name'), detail)];
  }
  if (value <= PRIORITY_MAX) return [];
  const detail = `maximum allowed value of a user defined priority is ${PRIORITY_MAX}`;
  return [fieldError.forbidden(root('value'), detail)];
}

export function validatePreemption({ preemptionPolicy }: PriorityClass) {
  if (preemptionPolicy === undefined || PREEMPTION.includes(preemptionPolicy)) return [];
  return [fieldError.notSupported(root('preemptionPolicy'), preemptionPolicy, PREEMPTION)];
}
