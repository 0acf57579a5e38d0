import type { MutatingAdmissionPolicyBinding } from '@tributary/api/admissionregistration-v1';
import { type FieldError, fieldError, root } from '@tributary/apimachinery';
import { validateBinding } from '../shared/validate-binding.ts';
import { validateMutatingOperations } from '../shared/validate-match.ts';

const SPEC = root('spec');

const MATCH = SPEC.child('matchResources');

export function validateMutatingBinding(binding: MutatingAdmissionPolicyBinding): FieldError[] {
  const { matchResources = {} } = binding.spec;
  return [
    ...validateBinding(binding, fieldError.required),
    ...validateMutatingOperations(matchResources, MATCH),
  ];
}
