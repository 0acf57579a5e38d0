import type { DeploymentStrategy, RollingUpdateDeployment } from '@tributary/api/apps-v1';
import {
  type FieldError,
  type FieldPath,
  fieldError,
  goJson,
  goText,
} from '@tributary/apimachinery';
import { atMost100Percent, intOrPercentErrors, numericValue } from '../../shared/int-or-percent.ts';

/** Validates the strategy that replaces old pods by new ones. */
export function validateStrategy(strategy: DeploymentStrategy, path: FieldPath): FieldError[] {
  const { type, rollingUpdate } = strategy;
  const fieldPath = path.child('rollingUpdate');
  switch (type) {
    case 'Recreate': {
      const detail = "may not be specified when strategy `type` is 'Recreate'";
      return rollingUpdate === undefined ? [] : [fieldError.forbidden(fieldPath, detail)];
    }
    case 'RollingUpdate':
      return validateRolling(rollingUpdate ?? {}, fieldPath);
    default:
      return [fieldError.notSupported(path, goStrategy(strategy), ['Recreate', 'RollingUpdate'])];
  }
}

/** Upstream's internal struct as JSON. */
function goStrategy({ type = '', rollingUpdate }: DeploymentStrategy) {
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
    ...intOrPercentErrors(unavailable, maxUnavailable),
    ...intOrPercentErrors(path.child('maxSurge'), maxSurge),
  ];
  if (numericValue(maxUnavailable) === 0 && numericValue(maxSurge) === 0) {
    const detail = 'may not be 0 when `maxSurge` is 0';
    errors.push(fieldError.invalid(unavailable, maxUnavailable, detail));
  }
  return [...errors, ...atMost100Percent(unavailable, maxUnavailable)];
}
