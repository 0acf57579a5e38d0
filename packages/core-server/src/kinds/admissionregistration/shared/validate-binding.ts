import type {
  MutatingAdmissionPolicyBinding,
  ParamRef,
  ValidatingAdmissionPolicyBinding,
} from '@tributary/api/admissionregistration-v1';
import {
  type FieldError,
  type FieldPath,
  fieldError,
  root,
  validatePathSegmentName,
} from '@tributary/apimachinery';
import { validateSelectorTerms } from '../../../rbac/label-selector-terms.ts';
import { metadataErrors } from '../../shared/object-metadata.ts';
import { validateSubdomain } from '../../shared/validate-names.ts';
import { validateRequiredSupported } from '../../shared/validate-values.ts';
import { validateMatch } from './validate-match.ts';
import { METADATA_RULES } from './validate-webhooks.ts';

const SPEC = root('spec');
const NOT_FOUND_ACTIONS = ['Deny', 'Allow'];
const MATCH = SPEC.child('matchResources');

export function validateBinding(
  binding: MutatingAdmissionPolicyBinding | ValidatingAdmissionPolicyBinding,
  required: (path: FieldPath) => FieldError,
): FieldError[] {
  const { policyName, paramRef, matchResources } = binding.spec;
  const name = SPEC.child('policyName');
  return [
    ...metadataErrors(binding, METADATA_RULES),
    ...(policyName ? validateSubdomain(name, policyName) : [required(name)]),
    ...(paramRef ? validateParamRef(paramRef, SPEC.child('paramRef')) : []),
    ...(matchResources ? validateMatch(matchResources, MATCH) : []),
  ];
}

function validateParamRef(ref: ParamRef, path: FieldPath): FieldError[] {
  const { name = '', selector } = ref;
  const action = path.child('parameterNotFoundAction');
  const notBoth = (field: string) =>
    name !== '' && selector
      ? [fieldError.forbidden(path.child(field), 'name and selector are mutually exclusive')]
      : [];
  return [
    ...validatePathSegmentName(name).map((reason) =>
      fieldError.invalid(path.child('name'), name, reason),
    ),
    ...notBoth('name'),
    ...(selector ? validateSelectorTerms(selector, path.child('selector')) : []),
    ...notBoth('selector'),
    ...(name === '' && !selector
      ? [fieldError.required(path, 'one of name or selector must be specified')]
      : []),
    ...validateRequiredSupported(ref.parameterNotFoundAction, NOT_FOUND_ACTIONS, action),
  ];
}
