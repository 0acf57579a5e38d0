import type { DeploymentStrategy, RollingUpdateDeployment } from '@tributary/api/apps-v1';
import {
  type FieldError,
  type FieldPath,
  fieldError,
  goJson,
  goText,
  regexError,
} from '@tributary/apimachinery';
import { notNegative } from '../../core/pod-template/validate-probes.ts';

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

export function atMostWhole(path: FieldPath, value: number | string): FieldError[] {
  if (!isPercent(value) || numberOf(value) <= 100) return [];
  return [fieldError.invalid(path, value, 'must not be greater than 100%')];
}

const PERCENT = '[0-9]+%';
const PERCENT_TEXT = "a valid percent string must be a numeric string followed by an ending '%'";

export function isPercent(value: number | string): value is string {
  return typeof value === 'string' && new RegExp(`^${PERCENT}$`).test(value);
}

export function countOrPercentErrors(path: FieldPath, value: number | string): FieldError[] {
  if (typeof value === 'number') return notNegative(path, value);
  if (isPercent(value)) return [];
  return [fieldError.invalid(path, value, regexError(PERCENT_TEXT, PERCENT, ['1%', '93%']))];
}

/** What stands before the sign counts; a text that is no percentage counts as the number it begins with. */
export function numberOf(value: number | string): number {
  return typeof value === 'number'
    ? value
    : Number(isPercent(value) ? value.slice(0, -1) : value) || 0;
}
