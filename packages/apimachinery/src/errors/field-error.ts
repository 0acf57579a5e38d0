import { goQuote } from '../values/go-quote.ts';
import { printGoValue } from '../values/go-value.ts';
import type { FieldPath } from './field-path.ts';

/** The cause `reason` of one field error. */
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
  /** Only the types that show the value have one. */
  readonly value?: unknown;
  readonly detail: string;
  /** Reported after the others: upstream runs declarative validation after the handwritten one. */
  readonly declarative?: true;
}

/** No path prints as `<nil>`, which is how selectors report their own keys and values. */
type Path = FieldPath | undefined;

/** Constructors of field errors, named as upstream's `field` package names them. */
export const fieldError = {
  required: (path: Path, detail = ''): FieldError => build('FieldValueRequired', path, detail),
  forbidden: (path: Path, detail = ''): FieldError => build('FieldValueForbidden', path, detail),
  invalid: (path: Path, value: unknown, detail: string): FieldError =>
    buildShowing('FieldValueInvalid', path, value, detail),
  typeInvalid: (path: Path, value: unknown, detail: string): FieldError =>
    buildShowing('FieldValueTypeInvalid', path, value, detail),
  duplicate: (path: Path, value: unknown): FieldError =>
    buildShowing('FieldValueDuplicate', path, value, ''),
  notFound: (path: Path, value: unknown): FieldError =>
    buildShowing('FieldValueNotFound', path, value, ''),
  /** The supported values are listed in the order given. */
  notSupported: (path: Path, value: unknown, supported: readonly string[]): FieldError =>
    buildShowing(
      'FieldValueNotSupported',
      path,
      value,
      supported.length === 0 ? '' : `supported values: ${supported.map(goQuote).join(', ')}`,
    ),
  /** The bound is in bytes of UTF-8. */
  tooLong: (path: Path, bytesMax: number): FieldError =>
    build('FieldValueTooLong', path, `may not be more than ${plural(bytesMax, 'byte')}`),
  tooLongCharacters: (path: Path, charactersMax: number): FieldError =>
    build('FieldValueTooLong', path, `may not be more than ${plural(charactersMax, 'character')}`),
  tooShort: (path: Path, charactersMin: number): FieldError =>
    build('FieldValueTooShort', path, `must be at least ${plural(charactersMin, 'character')}`),
  tooMany: (path: Path, actual: number, max: number): FieldError =>
    buildShowing('FieldValueTooMany', path, actual, `must have at most ${plural(max, 'item')}`),
  tooFew: (path: Path, actual: number, min: number): FieldError =>
    buildShowing('FieldValueTooFew', path, actual, `must have at least ${plural(min, 'item')}`),
  internal: (path: Path, error: Error): FieldError => build('InternalError', path, error.message),
} as const;

/** Marks an error that upstream's declarative validation reports in place of handwritten code. */
export function declarative(error: FieldError): FieldError {
  return { ...error, declarative: true };
}

/** Errors in the order in which upstream reports them: those of declarative validation last. */
export function inReportedOrder(errors: readonly FieldError[]): readonly FieldError[] {
  if (!errors.some((error) => error.declarative)) return errors;
  return [
    ...errors.filter((error) => !error.declarative),
    ...errors.filter((error) => error.declarative),
  ];
}

/** Equal errors once, at their first place; those of declarative validation are all kept. */
export function withoutRepeats(errors: readonly FieldError[]): readonly FieldError[] {
  const seen = new Set<string>();
  return errors.filter((error) => {
    if (error.declarative) return true;
    const text = fieldErrorText(error);
    return !seen.has(text) && seen.add(text);
  });
}

/** The text of a cause: type, value and detail, without the field. */
export function fieldErrorBody(error: FieldError): string {
  const parts = [typeTexts[error.type]];
  if ('value' in error) parts.push(printGoValue(error.value));
  if (error.detail !== '') parts.push(error.detail);
  return parts.join(': ');
}

/** The entry of a message: the field and the cause. */
export function fieldErrorText(error: FieldError): string {
  return `${error.field}: ${fieldErrorBody(error)}`;
}

/** All errors in one text: brackets around several, equal entries once. */
export function aggregateText(errors: readonly FieldError[]): string {
  return aggregateTexts(errors.map(fieldErrorText));
}

/** How Go's error aggregate prints: one message bare, several bracketed and without repeats. */
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

function buildShowing(
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
