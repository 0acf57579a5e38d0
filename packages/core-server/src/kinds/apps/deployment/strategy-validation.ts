import type { DeploymentStrategy, RollingUpdateDeployment } from '@tributary/api/apps-v1';
import {
  type FieldError,
  type FieldPath,
  fieldError,
  goJson,
  goText,
} from '@tributary/apimachinery';
import { atMostWhole, countOrPercentErrors, numberOf } from '../../shared/int-or-percent.ts';

/** How pods of an old template give way to those of a new one. */
export function validateStrategy(strategy: DeploymentStrategy, path: FieldPath): FieldError[] {
  const { type, rollingUpdate } = strategy;
  const place = path.child('rollingUpdate');
  switch (type) {
    case 'Recreate': {
      const detail = "may not be specified when strategy `type` is 'Recreate'";
      return rollingUpdate === undefined ? [] : [fieldError.forbidden(place, detail)];
    }
    case 'RollingUpdate':
      return validateRolling(rollingUpdate ?? {}, place);
    default:
      return [fieldError.notSupported(path, shown(strategy), ['Recreate', 'RollingUpdate'])];
  }
}

/** As upstream's own form of it prints. */
function shown({ type = '', rollingUpdate }: DeploymentStrategy) {
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate ?? {};
  const rolling = `{"MaxUnavailable":${goJson(maxUnavailable)},"MaxSurge":${goJson(maxSurge)}}`;
  return goText(`{"Type":${goJson(type)},"RollingUpdate":${rollingUpdate ? rolling : 'null'}}`);
}

function validateRolling(
  { maxUnavailable = 0, maxSurge = 0 }: RollingUpdateDeployment,
  path: FieldPath,
): FieldError[] {
  const unavailable = path.child('maxUnavailable');
  const errors = [
    ...countOrPercentErrors(unavailable, maxUnavailable),
    ...countOrPercentErrors(path.child('maxSurge'), maxSurge),
  ];
  if (numberOf(maxUnavailable) === 0 && numberOf(maxSurge) === 0) {
    const detail = 'may not be 0 when `maxSurge` is 0';
    errors.push(fieldError.invalid(unavailable, maxUnavailable, detail));
  }
  return [...errors, ...atMostWhole(unavailable, maxUnavailable)];
}
