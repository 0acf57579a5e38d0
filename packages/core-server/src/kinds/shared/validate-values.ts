/** Words that the kinds of the group share. */
import { type FieldError, type FieldPath, fieldError } from '@tributary/apimachinery';

/** A value that is there is one of those that are known. */
export function supported(
  value: string | undefined,
  values: readonly string[],
  path: FieldPath,
): FieldError[] {
  if (value === undefined || values.includes(value)) return [];
  return [fieldError.notSupported(path, value, values)];
}

/** The same of a value that must be there. */
export function requiredAndSupported(
  value: string | undefined,
  values: readonly string[],
  path: FieldPath,
): FieldError[] {
  return value ? supported(value, values, path) : [fieldError.required(path)];
}

/** Places of values that stood before already. */
export function duplicates(values: readonly string[]): ReadonlySet<number> {
  const seen = new Set<string>();
  const repeated = new Set<number>();
  for (const [index, value] of values.entries()) {
    if (seen.has(value)) repeated.add(index);
    seen.add(value);
  }
  return repeated;
}

/** Expressions are not compiled here: what follows these kinds does that. */
export function isBlank(expression: string | undefined): boolean {
  return (expression ?? '').trim() === '';
}
