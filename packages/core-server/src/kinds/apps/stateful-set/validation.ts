import { isDeepStrictEqual } from 'node:util';
import type { RollingUpdateStatefulSetStrategy, StatefulSetSpec } from '@tributary/api/apps-v1';
import { type FieldError, fieldError, fieldImmutable, root } from '@tributary/apimachinery';
import { notNegative } from '../../core/pod-template/validate-probes.ts';
import { atMost100Percent, intOrPercentErrors, numericValue } from '../../shared/int-or-percent.ts';
import { goSelector } from '../../shared/workload-validation.ts';
import { goStrategy, STRATEGIES } from '../shared/update-strategies.ts';

const SPEC = root('spec');

const POD_POLICIES = ['OrderedReady', 'Parallel'];

export function validatePolicies({
  podManagementPolicy = '',
  updateStrategy,
}: StatefulSetSpec): FieldError[] {
  const { type = '', rollingUpdate } = updateStrategy;
  const errors: FieldError[] = [];
  if (!POD_POLICIES.includes(podManagementPolicy)) {
    const detail = "must be 'OrderedReady' or 'Parallel'";
    errors.push(fieldError.invalid(SPEC.child('podManagementPolicy'), podManagementPolicy, detail));
  }
  if (!STRATEGIES.includes(type)) {
    const detail = "must be 'RollingUpdate' or 'OnDelete'";
    errors.push(fieldError.invalid(SPEC.child('updateStrategy'), goStrategy(type), detail));
  }
  if (type === 'RollingUpdate' && rollingUpdate) errors.push(...validateRolling(rollingUpdate));
  return errors;
}

function validateRolling({
  partition,
  maxUnavailable = 1,
}: RollingUpdateStatefulSetStrategy): FieldError[] {
  const path = SPEC.child('updateStrategy', 'rollingUpdate');
  const unavailable = path.child('maxUnavailable');
  return [
    ...notNegative(path.child('partition'), partition),
    ...intOrPercentErrors(unavailable, maxUnavailable),
    ...(numericValue(maxUnavailable) === 0
      ? [fieldError.invalid(unavailable, maxUnavailable, 'cannot be 0')]
      : []),
    ...atMost100Percent(unavailable, maxUnavailable),
  ];
}

/** The immutable fields of a StatefulSet, with their values as upstream shows them in errors. */
const IMMUTABLE_FIELDS: Readonly<
  Partial<Record<keyof StatefulSetSpec, (spec: StatefulSetSpec) => unknown>>
> = {
  selector: ({ selector }) => goSelector(selector),
  volumeClaimTemplates: ({ volumeClaimTemplates }) => volumeClaimTemplates ?? null,
  serviceName: ({ serviceName }) => serviceName ?? '',
  podManagementPolicy: ({ podManagementPolicy }) => podManagementPolicy ?? '',
};

export function validateImmutableFields(
  next: StatefulSetSpec,
  live: StatefulSetSpec,
): FieldError[] {
  return Object.entries(IMMUTABLE_FIELDS).flatMap(([name, shown]) => {
    const field = name as keyof StatefulSetSpec;
    if (isDeepStrictEqual(next[field], live[field])) return [];
    return [fieldError.invalid(SPEC.child(name), shown(next), fieldImmutable)];
  });
}
