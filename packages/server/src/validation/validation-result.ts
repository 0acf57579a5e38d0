import { type FieldError, GoText, goText } from '@tributary/apimachinery';

/** Errors and warnings about an object. */
export interface ValidationResult {
  readonly errors: readonly FieldError[];
  /** Warnings for the client of an accepted object. */
  readonly warnings: readonly string[];
}

/** The result as plain data: a GoText is an instance of a class, which cannot be sent. */
interface SerializedResult {
  readonly errors: readonly SerializedError[];
  readonly warnings: readonly string[];
}

interface SerializedError {
  readonly error: FieldError;
  readonly goText?: string;
}

export function serializeResult({ errors, warnings }: ValidationResult): SerializedResult {
  return { errors: errors.map(serializeError), warnings };
}

export function deserializeResult({ errors, warnings }: SerializedResult): ValidationResult {
  return { errors: errors.map(deserializeError), warnings };
}

function serializeError(error: FieldError): SerializedError {
  if (!(error.value instanceof GoText)) return { error };
  const { value, ...rest } = error;
  return { error: rest, goText: value.text };
}

function deserializeError({ error, goText: text }: SerializedError): FieldError {
  return text === undefined ? error : { ...error, value: goText(text) };
}
