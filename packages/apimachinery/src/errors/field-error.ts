import { goQuote } from '../values/go-quote.ts';
import { printGoValue } from '../values/go-value.ts';
import type { FieldPath } from './field-path.ts';

/** The `reason` of a field error's cause. */
export type FieldErrorType =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueTypeInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooShort'
  | 'FieldValueTooMany'
  | 'FieldValueTooFew'
  | 'InternalError';

/** One reason why an object is invalid. */
export interface FieldError {
  readonly type: FieldErrorType;
  /** The path as text; `<nil>` where there is none. */
  readonly field: string;
  /** Present only for the types whose message contains the value. */
  readonly value?: unknown;
  readonly detail: string;
  /** Reported last, because upstream runs declarative validation after the handwritten one. */
  readonly declarative?: true;
}

/** An undefined path prints as `<nil>`, as in errors about the keys and values of selectors. */
type Path = FieldPath | undefined;

/** Constructors of field errors, named after those of upstream's `field` package. */
export const fieldError = {
  required: (path: Path, detail = ''): FieldError => build('FieldValueRequired', path, detail),
  forbidden: (path: Path, detail = ''): FieldError => build('FieldValueForbidden', path, detail),
  invalid: (path: Path, value: unknown, detail: string): FieldError =>
    buildWithValue('FieldValueInvalid', path, value, detail),
  typeInvalid: (path: Path, value: unknown, detail: string): FieldError =>
    buildWithValue('FieldValueTypeInvalid', path, value, detail),
  duplicate: (path: Path, value: unknown): FieldError =>
    buildWithValue('FieldValueDuplicate', path, value, ''),
  notFound: (path: Path, value: unknown): FieldError =>
    buildWithValue('FieldValueNotFound', path, value, ''),
  /** The message lists the supported values in this order. */
  notSupported: (path: Path, value: unknown, supported: readonly string[]): FieldError =>
    buildWithValue(
      'FieldValueNotSupported',
      path,
      value,
      supported.length === 0 ? '' : `supported values: ${supported.map(goQuote).join(', ')}`,
    ),
  /** The limit is in bytes of UTF-8. */
  tooLong: (path: Path, bytesMax: number): FieldError =>
    build('FieldValueTooLong', path, `may not be more than ${plural(bytesMax, 'byte')}`),
  tooLongCharacters: (path: Path, charactersMax: number): FieldError =>
    build('FieldValueTooLong', path, `may not be more than ${plural(charactersMax, 'character')}`),
  tooShort: (path: Path, charactersMin: number): FieldError =>
    build('FieldValueTooShort', path, `must be at least ${plural(charactersMin, 'character')}`),
  tooMany: (path: Path, actual: number, max: number): FieldError =>
    buildWithValue('FieldValueTooMany', path, actual, `must have at most ${plural(max, 'item')}`),
  tooFew: (path: Path, actual: number, min: number): FieldError =>
    buildWithValue('FieldValueTooFew', path, actual, `must have at least ${plural(min, 'item')}`),
  internal: (path: Path, error: Error): FieldError => build('InternalError', path, error.message),
} as const;

/** Marks an error that upstream reports from declarative instead of handwritten validation. */
export function declarative(error: FieldError): FieldError {
  return { ...error, declarative: true };
}

/** The errors in upstream's order, those of declarative validation last. */
export function inReportedOrder(errors: readonly FieldError[]): readonly FieldError[] {
  if (!errors.some((error) => error.declarative)) return errors;
  return [
    ...errors.filter((error) => !error.declarative),
    ...errors.filter((error) => error.declarative),
  ];
}

/** Removes equal errors after the first; errors of declarative validation are never removed. */
export function withoutRepeats(errors: readonly FieldError[]): readonly FieldError[] {
  const seen = new Set<string>();
  return errors.filter((error) => {
    if (error.declarative) return true;
    const text = fieldErrorText(error);
    return !seen.has(text) && seen.add(text);
  });
}

/** The message of a cause: type, value and detail, without the field. */
export function fieldErrorBody(error: FieldError): string {
  const parts = [typeTexts[error.type]];
  if ('value' in error) parts.push(printGoValue(error.value));
  if (error.detail !== '') parts.push(error.detail);
  return parts.join(': ');
}

/** One error of a message: the field and the cause. */
export function fieldErrorText(error: FieldError): string {
  return `${error.field}: ${fieldErrorBody(error)}`;
}

/** The message for several errors: more than one in brackets, equal ones once. */
export function aggregateText(errors: readonly FieldError[]): string {
  return aggregateTexts(errors.map(fieldErrorText));
}

/** The text of upstream's `errors.Aggregate`: more than one message in brackets, equal ones once. */
export function aggregateTexts(texts: readonly string[]): string {
  const unique = [...new Set(texts)];
  return unique.length === 1 ? unique.join('') : `[${unique.join(', ')}]`;
}

const typeTexts: Readonly<Record<FieldErrorType, string>> = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueTypeInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooShort: 'Too short',
  FieldValueTooMany: 'Too many',
  FieldValueTooFew: 'Too few',
  InternalError: 'Internal error',
};

function build(type: FieldErrorType, path: Path, detail: string): FieldError {
  return { type, field: pathText(path), detail };
}

function buildWithValue(
  type: FieldErrorType,
  path: Path,
  value: unknown,
  detail: string,
): FieldError {
  return { type, field: pathText(path), value, detail };
}

function pathText(path: Path): string {
  return path === undefined ? '<nil>' : path.toString();
}

function plural(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
