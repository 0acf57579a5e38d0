import type { RoleBinding } from '@tributary/api/rbac-v1';
import { type FieldError, validatePathSegmentName } from '@tributary/apimachinery';
import {
  type BindingRules,
  validateBinding,
  validateSameRole,
} from '../../../rbac/validate-binding.ts';
import { metadataErrors, metadataUpdateErrors } from '../../shared/object-metadata.ts';

export function bindingValidation(rules: BindingRules) {
  const { namespaced } = rules;
  const metadataRules = { namespaced, validateName: validatePathSegmentName };
  return {
    validate: (binding: RoleBinding): FieldError[] => [
      ...metadataErrors(binding, metadataRules),
      ...validateBinding(binding, rules),
    ],
    validateUpdate: (next: RoleBinding, live: RoleBinding): FieldError[] => [
      ...metadataErrors(next, metadataRules),
      ...validateBinding(next, rules, live),
      ...metadataUpdateErrors(next, live),
      ...validateSameRole(next, live),
    ],
  };
}
