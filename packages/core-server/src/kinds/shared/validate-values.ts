/** Validation of values from a fixed set. */
import { type FieldError, type FieldPath, fieldError } from '@tributary/apimachinery';

/** A value that is set must be one of `values`. */
export function validateSupported(
  value: string | undefined,
  values: readonly string[],
  path: FieldPath,
): FieldError[] {
  if (value === undefined || values.includes(value)) return [];
  return [fieldError.notSupported(path, value, values)];
}

/** The value is required and must be one of `values`. */
export function validateRequiredSupported(
  value: string | undefined,
  values: readonly string[],
  path: FieldPath,
): FieldError[] {
  return value ? validateSupported(value, values, path) : [fieldError.required(path)];
}

/** Indexes of values that occur earlier in the list. */
export function duplicateIndexes(values: readonly string[]): ReadonlySet<number> {
  const seen = new Set<string>();
  const repeated = new Set<number>();
  for (const [index, value] of values.entries()) {
    if (seen.has(value)) repeated.add(index);
    seen.add(value);
  }
  return repeated;
}

/** Expressions are not compiled here: the servers that enforce the policies compile them. */
export function isBlank(expression: string | undefined): boolean {
  return (expression ?? '').trim() === '';
}
