/** Validates the schedule of a CronJob: five fields, or a macro such as `@daily`. */
import { declarative, type FieldError, type FieldPath, fieldError } from '@tributary/apimachinery';

const WORDS = new Set([
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
]);
const FIELDS = 5;
/** A number or a name, a range, a step. */
const PART = /^(\*|\?|[0-9A-Za-z]+(-[0-9A-Za-z]+)?)(\/[0-9]+)?$/;

export function scheduleErrors(schedule: string, path: FieldPath): FieldError[] {
  if (schedule === '') return [declarative(fieldError.required(path))];
  if (WORDS.has(schedule) || schedule.startsWith('@every ')) return [];
  const fields = schedule.split(/\s+/).filter((field) => field !== '');
  if (fields.length !== FIELDS) {
    const detail = `expected exactly ${FIELDS} fields, found ${fields.length}: [${fields.join(' ')}]`;
    return [fieldError.invalid(path, schedule, detail)];
  }
  const bad = fields.find((field) => !field.split(',').every((part) => PART.test(part)));
  return bad === undefined
    ? []
    : [fieldError.invalid(path, schedule, `failed to parse int from ${bad}`)];
}

export function timeZoneErrors(zone: string | undefined, path: FieldPath): FieldError[] {
  if (zone === undefined) return [];
  if (zone === '') return [fieldError.invalid(path, zone, 'must be nil or non-empty string')];
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return [];
  } catch {
    // `Intl` throws for an unknown time zone.
    return [fieldError.invalid(path, zone, `unknown time zone ${zone}`)];
  }
}
