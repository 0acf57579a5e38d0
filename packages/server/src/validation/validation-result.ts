import { type FieldError, GoText, goText } from '@tributary/apimachinery';

/** What was found about an object. */
export interface Judgement {
  readonly errors: readonly FieldError[];
  /** What its client is told although it is accepted. */
  readonly warnings: readonly string[];
}

/** The same as plain data: a text that stands for a Go value is a class of ours. */
export interface SentJudgement {
  readonly errors: readonly SentError[];
  readonly warnings: readonly string[];
}

interface SentError {
  readonly error: FieldError;
  readonly goText?: string;
}

export function sentJudgement({ errors, warnings }: Judgement): SentJudgement {
  return { errors: errors.map(sentError), warnings };
}

export function receivedJudgement({ errors, warnings }: SentJudgement): Judgement {
  return { errors: errors.map(receivedError), warnings };
}

function sentError(error: FieldError): SentError {
  if (!(error.value instanceof GoText)) return { error };
  const { value, ...rest } = error;
  return { error: rest, goText: value.text };
}

function receivedError({ error, goText: text }: SentError): FieldError {
  return text === undefined ? error : { ...error, value: goText(text) };
}
