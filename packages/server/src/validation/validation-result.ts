import { type FieldError, GoText, goText } from '@tributary/apimachinery';

/** What was found about an object. */
export interface ValidationResult {
  readonly errors: readonly FieldError[];
  /** What its client is told although it is accepted. */
  readonly warnings: readonly string[];
}

/** The same as plain data: a text that stands for a Go value is a class of ours. */
export interface SerializedResult {
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
