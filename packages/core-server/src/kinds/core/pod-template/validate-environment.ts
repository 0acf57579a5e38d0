import type { Container, EnvVar } from '@tributary/api/core-v1';
import { type FieldError, type FieldPath, fieldError } from '@tributary/apimachinery';
import { validateSubdomain } from '../../shared/validate-names.ts';
import { validateDataKey } from '../shared/data-keys.ts';

const NAME_DETAIL =
  "a valid environment variable name must consist only of printable ASCII characters other than '='";
const ONE_OF =
  'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
const SEVERAL = 'may not have more than one field specified at a time';

export function validateEnvironment({ env = [], envFrom = [] }: Container, path: FieldPath) {
  const fromPath = path.child('envFrom');
  return [
    ...env.flatMap((variable, index) => validateVariable(variable, path.child('env').index(index))),
    ...envFrom.flatMap(({ prefix, configMapRef, secretRef }, index) => {
      const at = fromPath.index(index);
      const errors = prefix ? nameErrors(at.child('prefix'), prefix) : [];
      if (configMapRef) {
        errors.push(...referenceErrors(at.child('configMapRef'), configMapRef.name));
      }
      if (secretRef) errors.push(...referenceErrors(at.child('secretRef'), secretRef.name));
      // Upstream's path is that of the list, and the error shows no value.
      if (!configMapRef && !secretRef) {
        const detail = 'must specify one of: `configMapRef` or `secretRef`';
        errors.push(fieldError.invalid(fromPath, '', detail));
      } else if (configMapRef && secretRef) {
        errors.push(fieldError.invalid(fromPath, '', SEVERAL));
      }
      return errors;
    }),
  ];
}

function referenceErrors(path: FieldPath, name = ''): FieldError[] {
  return name === ''
    ? [fieldError.required(path.child('name'))]
    : validateSubdomain(path.child('name'), name);
}

function validateVariable(variable: EnvVar, path: FieldPath): FieldError[] {
  const { name } = variable;
  return [
    ...(name ? nameErrors(path.child('name'), name) : [fieldError.required(path.child('name'))]),
    ...validateValueFrom(variable, path.child('valueFrom')),
  ];
}

function nameErrors(path: FieldPath, name: string): FieldError[] {
  return /^[ -<>-~]+$/.test(name) ? [] : [fieldError.invalid(path, name, NAME_DETAIL)];
}

function validateValueFrom({ value, valueFrom }: EnvVar, path: FieldPath): FieldError[] {
  if (valueFrom === undefined) return [];
  const { fieldRef, configMapKeyRef, secretKeyRef } = valueFrom;
  const errors: FieldError[] = [];
  if (fieldRef && !fieldRef.fieldPath) {
    errors.push(fieldError.required(path.child('fieldRef', 'fieldPath')));
  }
  if (configMapKeyRef) errors.push(...keyErrors(path.child('configMapKeyRef'), configMapKeyRef));
  if (secretKeyRef) errors.push(...keyErrors(path.child('secretKeyRef'), secretKeyRef));
  const sources = Object.values(valueFrom).filter((source) => source !== undefined).length;
  if (sources === 0) errors.push(fieldError.invalid(path, '', ONE_OF));
  else if (value) {
    errors.push(fieldError.invalid(path, '', 'may not be specified when `value` is not empty'));
  } else if (sources > 1) errors.push(fieldError.invalid(path, '', SEVERAL));
  return errors;
}

function keyErrors(path: FieldPath, { name = '', key }: { name?: string; key: string }) {
  return [
    ...validateSubdomain(path.child('name'), name),
    ...(key
      ? validateDataKey(path, key).map(({ detail }) =>
          fieldError.invalid(path.child('key'), key, detail),
        )
      : [fieldError.required(path.child('key'))]),
  ];
}
