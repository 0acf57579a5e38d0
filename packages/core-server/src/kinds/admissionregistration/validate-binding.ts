import type {
  MutatingAdmissionPolicyBinding,
  ParamRef,
  ValidatingAdmissionPolicyBinding,
} from '@tributary/api/admissionregistration-v1';
import {
  declarative,
  type FieldError,
  type FieldPath,
  fieldError,
  root,
  validatePathSegmentName,
} from '@tributary/apimachinery';
import { validateSelectorTerms } from '../../rbac/label-selector-terms.ts';
import { metadataErrors } from '../shared/object-metadata.ts';
import { validateSubdomain } from '../shared/validate-names.ts';
import { duplicates, requiredAndSupported, supported } from '../shared/validate-values.ts';
import { validateMatch, validateMutatingOperations } from './validate-match.ts';
import { METADATA_RULES } from './validate-webhook.ts';

const SPEC = root('spec');
const MATCH = SPEC.child('matchResources');
const ACTIONS = ['Audit', 'Deny', 'Warn'];
const NOT_FOUND_ACTIONS = ['Deny', 'Allow'];

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

export function validateMutatingBinding(binding: MutatingAdmissionPolicyBinding): FieldError[] {
  const { matchResources = {} } = binding.spec;
  return [
    ...validateBinding(binding, fieldError.required),
    ...validateMutatingOperations(matchResources, MATCH),
  ];
}

function validateBinding(
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
    ...validatePathSegmentName(name).map((why) =>
      fieldError.invalid(path.child('name'), name, why),
    ),
    ...notBoth('name'),
    ...(selector ? validateSelectorTerms(selector, path.child('selector')) : []),
    ...notBoth('selector'),
    ...(name === '' && !selector
      ? [fieldError.required(path, 'one of name or selector must be specified')]
      : []),
    ...requiredAndSupported(ref.parameterNotFoundAction, NOT_FOUND_ACTIONS, action),
  ];
}

const BOTH =
  'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';

function validateActions(actions: readonly string[], path: FieldPath): FieldError[] {
  const repeated = duplicates(actions);
  const both = actions.includes('Deny') && actions.includes('Warn');
  return [
    ...actions.flatMap((action, index) => [
      ...supported(action, ACTIONS, path.index(index)),
      ...(repeated.has(index) ? [fieldError.duplicate(path.index(index), action)] : []),
    ]),
    ...(both ? [fieldError.invalid(path, actions, BOTH)] : []),
  ];
}
