import { isDeepStrictEqual } from 'node:util';
import type { RollingUpdateStatefulSetStrategy, StatefulSetSpec } from '@tributary/api/apps-v1';
import { type FieldError, fieldError, fieldImmutable, goText, root } from '@tributary/apimachinery';
import { notNegative } from '../../core/pod-template/validate-probes.ts';
import { atMostWhole, countOrPercentErrors, numberOf } from '../../shared/int-or-percent.ts';
import { internalJson } from '../../shared/internal-form/internal-text.ts';
import { shownSelector } from '../../shared/workload-validation.ts';
import { STRATEGIES, shownStrategy } from '../shared/update-strategies.ts';

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
    errors.push(fieldError.invalid(SPEC.child('updateStrategy'), shownStrategy(type), detail));
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
    ...countOrPercentErrors(unavailable, maxUnavailable),
    ...(numberOf(maxUnavailable) === 0
      ? [fieldError.invalid(unavailable, maxUnavailable, 'cannot be 0')]
      : []),
    ...atMostWhole(unavailable, maxUnavailable),
  ];
}

/** What of a StatefulSet stays as it was created, as upstream shows it. */
const FIXED: Readonly<Partial<Record<keyof StatefulSetSpec, (spec: StatefulSetSpec) => unknown>>> =
  {
    selector: ({ selector }) => shownSelector(selector),
    volumeClaimTemplates: ({ volumeClaimTemplates }) =>
      volumeClaimTemplates
        ? goText(internalJson('PersistentVolumeClaim', volumeClaimTemplates))
        : null,
    serviceName: ({ serviceName }) => serviceName ?? '',
    podManagementPolicy: ({ podManagementPolicy }) => podManagementPolicy ?? '',
  };

export function fixedPartChange(next: StatefulSetSpec, live: StatefulSetSpec): FieldError[] {
  return Object.entries(FIXED).flatMap(([name, shown]) => {
    const field = name as keyof StatefulSetSpec;
    if (isDeepStrictEqual(next[field], live[field])) return [];
    return [fieldError.invalid(SPEC.child(name), shown(next), fieldImmutable)];
  });
}
