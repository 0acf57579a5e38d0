/** Validates the fields of a version beside its schema. */

import type {
  CustomResourceColumnDefinition,
  CustomResourceSubresources,
} from '@tributary/api/apiextensions-v1';
import { type FieldError, type FieldPath, fieldError } from '@tributary/apimachinery';
import type { InternalVersion } from './internal-spec.ts';

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = [
  'byte',
  'date',
  'date-time',
  'double',
  'float',
  'int32',
  'int64',
  'password',
];
const WARNING_BYTES_MAX = 256;

export function validateColumns(
  columns: readonly CustomResourceColumnDefinition[] | undefined,
  path: FieldPath,
): FieldError[] {
  return (columns ?? []).flatMap((column, at) => validateColumn(column, path.index(at)));
}

function validateColumn(column: CustomResourceColumnDefinition, path: FieldPath): FieldError[] {
  const { name, type, format = '', jsonPath } = column;
  const errors: FieldError[] = [];
  const types = `must be one of ${COLUMN_TYPES.join(',')}`;
  if (name === '') errors.push(fieldError.required(path.child('name')));
  if (type === '') errors.push(fieldError.required(path.child('type'), types));
  else if (!COLUMN_TYPES.includes(type)) {
    errors.push(fieldError.invalid(path.child('type'), type, types));
  }
  if (format !== '' && !COLUMN_FORMATS.includes(format)) {
    const detail = `must be one of ${COLUMN_FORMATS.join(',')}`;
    errors.push(fieldError.invalid(path.child('format'), format, detail));
  }
  const place = path.child('JSONPath');
  if (jsonPath === '') return [...errors, fieldError.required(place)];
  return [...errors, ...validateSimplePath(jsonPath, place)];
}

export function validateSubresources(
  subresources: CustomResourceSubresources | undefined,
  path: FieldPath,
): FieldError[] {
  if (subresources?.scale === undefined) return [];
  const { specReplicasPath, statusReplicasPath, labelSelectorPath = '' } = subresources.scale;
  const place = (name: string) => path.child('scale', name);
  return [
    ...validateScalePath(specReplicasPath, place('specReplicasPath'), ['.spec']),
    ...validateScalePath(statusReplicasPath, place('statusReplicasPath'), ['.status']),
    ...(labelSelectorPath === ''
      ? []
      : validateScalePath(labelSelectorPath, place('labelSelectorPath'), ['.spec', '.status'])),
  ];
}

function validateScalePath(text: string, path: FieldPath, below: readonly string[]): FieldError[] {
  if (text === '') return [fieldError.required(path)];
  const errors = validateSimplePath(text, path);
  if (errors.length > 0 || below.some((part) => text.startsWith(`${part}.`))) return errors;
  const where = below.length === 1 ? below.join('') : `either ${below.join(' or ')}`;
  return [fieldError.invalid(path, text, `should be a json path under ${where}`)];
}

function validateSimplePath(text: string, path: FieldPath): FieldError[] {
  if (text.startsWith('.')) return [];
  return [fieldError.invalid(path, text, 'must be a simple json path starting with .')];
}

export function validateDeprecation(
  { deprecated, deprecationWarning }: InternalVersion,
  path: FieldPath,
): FieldError[] {
  if (deprecationWarning === undefined) return [];
  const details = deprecated
    ? warningErrors(deprecationWarning)
    : ['can only be set for deprecated versions'];
  const place = path.child('deprecationWarning');
  return details.map((detail) => fieldError.invalid(place, deprecationWarning, detail));
}

function warningErrors(warning: string): string[] {
  const mistakes: string[] = [];
  if (Buffer.byteLength(warning) > WARNING_BYTES_MAX) {
    mistakes.push(`must be <= ${WARNING_BYTES_MAX} characters long`);
  }
  if (warning === '') mistakes.push('must not be an empty string');
  const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(warning);
  if (unprintable !== null) {
    const index = Buffer.byteLength(warning.slice(0, unprintable.index));
    mistakes.push(
      `must only contain printable UTF-8 characters; non-printable character found at index ${index}`,
    );
  }
  return mistakes;
}
