import type { ValidatingAdmissionPolicyBinding } from '@tributary/api/admissionregistration-v1';
import {
  declarative,
  type FieldError,
  type FieldPath,
  fieldError,
  root,
} from '@tributary/apimachinery';
import { duplicateIndexes, validateSupported } from '../../shared/validate-values.ts';
import { validateBinding } from '../shared/validate-binding.ts';

const SPEC = root('spec');
const ACTIONS = ['Audit', 'Deny', 'Warn'];

const BOTH =
  'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';

export function validateValidatingBinding(binding: ValidatingAdmissionPolicyBinding): FieldError[] {
  const { validationActions = [] } = binding.spec;
  const required = (path: FieldPath) => declarative(fieldError.required(path));
  const actions = SPEC.child('validationActions');
  return [
    ...validateBinding(binding, required),
    ...(validationActions.length === 0 ? [required(actions)] : []),
    ...validateActions(validationActions, actions),
  ];
}

function validateActions(actions: readonly string[], path: FieldPath): FieldError[] {
  const repeated = duplicateIndexes(actions);
  const both = actions.includes('Deny') && actions.includes('Warn');
  return [
    ...actions.flatMap((action, index) => [
      ...validateSupported(action, ACTIONS, path.index(index)),
      ...(repeated.has(index) ? [fieldError.duplicate(path.index(index), action)] : []),
    ]),
    ...(both ? [fieldError.invalid(path, actions, BOTH)] : []),
  ];
}
