/** Validates the fields that both kinds of policies have. */

import type { ParamKind, Variable } from '@tributary/api/admissionregistration-v1';
import {
  dns1035LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  type FieldPath,
  fieldError,
} from '@tributary/apimachinery';
import { isBlank } from '../../shared/validate-values.ts';

export function validateParamKind(
  { apiVersion = '', kind = '' }: ParamKind,
  path: FieldPath,
): FieldError[] {
  return [
    ...validateApiVersion(apiVersion, path.child('apiVersion')),
    ...validateKind(kind, path.child('kind')),
  ];
}

function validateApiVersion(apiVersion: string, path: FieldPath): FieldError[] {
  if (apiVersion === '') return [fieldError.required(path)];
  const parts = apiVersion === '/' ? [''] : apiVersion.split('/');
  if (parts.length > 2) {
    const detail = `unexpected GroupVersion string: ${apiVersion}`;
    return [fieldError.invalid(path, apiVersion, detail)];
  }
  const version = parts.at(-1) ?? '';
  const group = parts.length === 2 ? (parts[0] ?? '') : '';
  const inGroup = group === '' ? [] : dns1123SubdomainErrors(group);
  const inVersion = dns1035LabelErrors(version);
  return [
    ...(inGroup.length > 0 ? [fieldError.invalid(path, group, inGroup.join(','))] : []),
    ...(version === ''
      ? [fieldError.invalid(path, apiVersion, 'version must be specified')]
      : inVersion.length > 0
        ? [fieldError.invalid(path, version, inVersion.join(','))]
        : []),
  ];
}

function validateKind(kind: string, path: FieldPath): FieldError[] {
  if (kind === '') return [fieldError.required(path)];
  const errors = dns1035LabelErrors(kind.toLowerCase());
  if (errors.length === 0) return [];
  const detail = `may have mixed case, but should otherwise match: ${errors.join(',')}`;
  return [fieldError.invalid(path, kind, detail)];
}

const RESERVED_WORDS: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

export function validateVariables(variables: readonly Variable[], path: FieldPath): FieldError[] {
  return variables.flatMap(({ name, expression }, index) => {
    const at = path.index(index);
    return [
      ...validateVariableName(name, at.child('name')),
      ...(isBlank(expression)
        ? [fieldError.required(at.child('expression'), 'expression is not specified')]
        : []),
    ];
  });
}

function validateVariableName(name: string, path: FieldPath): FieldError[] {
  if (isBlank(name)) return [fieldError.required(path, 'name is not specified')];
  if (/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !RESERVED_WORDS.has(name)) return [];
  return [fieldError.invalid(path, name, 'must be a valid CEL identifier')];
}
