import { type FieldError, type FieldPath, fieldError, regexError } from '@tributary/apimachinery';
import { notNegative } from '../core/pod-template/validate-probes.ts';

export function atMost100Percent(path: FieldPath, value: number | string): FieldError[] {
  if (!isPercent(value) || numericValue(value) <= 100) return [];
  return [fieldError.invalid(path, value, 'must not be greater than 100%')];
}

const PERCENT = '[0-9]+%';

const PERCENT_TEXT = "a valid percent string must be a numeric string followed by an ending '%'";

export function isPercent(value: number | string): value is string {
  return typeof value === 'string' && new RegExp(`^${PERCENT}$`).test(value);
}

export function intOrPercentErrors(path: FieldPath, value: number | string): FieldError[] {
  if (typeof value === 'number') return notNegative(path, value);
  if (isPercent(value)) return [];
  return [fieldError.invalid(path, value, regexError(PERCENT_TEXT, PERCENT, ['1%', '93%']))];
}

/** The number before the percent sign; a string that is not a percentage counts as a number. */
export function numericValue(value: number | string): number {
  return typeof value === 'number'
    ? value
    : Number(isPercent(value) ? value.slice(0, -1) : value) || 0;
}
