import type { MutatingAdmissionPolicy, Mutation } from '@tributary/api/admissionregistration-v1';
import { type FieldError, type FieldPath, fieldError, root } from '@tributary/apimachinery';
import { metadataErrors } from '../../shared/object-metadata.ts';
import { isBlank, validateRequiredSupported } from '../../shared/validate-values.ts';
import {
  validateConstraints,
  validateMatchConditions,
  validateMutatingOperations,
} from '../shared/validate-match.ts';
import { validateParamKind, validateVariables } from '../shared/validate-policy-parts.ts';
import {
  FAILURE_POLICIES,
  METADATA_RULES,
  REINVOCATION_POLICIES,
} from '../shared/validate-webhooks.ts';

const SPEC = root('spec');
const CONSTRAINTS = SPEC.child('matchConstraints');

export function validateMutatingPolicy(policy: MutatingAdmissionPolicy): FieldError[] {
  const { spec } = policy;
  const { matchConditions = [], variables = [], mutations = [] } = spec;
  const again = SPEC.child('reinvocationPolicy');
  return [
    ...metadataErrors(policy, METADATA_RULES),
    ...validateRequiredSupported(spec.failurePolicy, FAILURE_POLICIES, SPEC.child('failurePolicy')),
    ...(spec.paramKind ? validateParamKind(spec.paramKind, SPEC.child('paramKind')) : []),
    ...validateConstraints(spec.matchConstraints, CONSTRAINTS),
    ...validateMutatingOperations(spec.matchConstraints ?? {}, CONSTRAINTS),
    ...validateMatchConditions(matchConditions, SPEC.child('matchConditions')),
    ...validateVariables(variables, SPEC.child('variables')),
    ...validateMutations(mutations, SPEC.child('mutations')),
    ...validateRequiredSupported(spec.reinvocationPolicy, REINVOCATION_POLICIES, again),
  ];
}

function validateMutations(mutations: readonly Mutation[], path: FieldPath): FieldError[] {
  if (mutations.length === 0) {
    return [fieldError.required(path, 'mutations must contain at least one item')];
  }
  return mutations.flatMap((mutation, index) => validateMutation(mutation, path.index(index)));
}

/** The field that each patch type uses. */
const FIELDS = { ApplyConfiguration: 'applyConfiguration', JSONPatch: 'jsonPatch' } as const;

function validateMutation(mutation: Mutation, path: FieldPath): FieldError[] {
  const { patchType } = mutation;
  const wrong = validateRequiredSupported(patchType, Object.keys(FIELDS), path.child('patchType'));
  if (patchType !== 'ApplyConfiguration' && patchType !== 'JSONPatch') return wrong;
  const field = FIELDS[patchType];
  const other = field === 'jsonPatch' ? 'applyConfiguration' : 'jsonPatch';
  const patch = mutation[field];
  const errors =
    patch === undefined
      ? [fieldError.required(path.child(field), `must be specified when patchType is ${patchType}`)]
      : isBlank(patch.expression)
        ? [fieldError.required(path.child(field, 'expression'))]
        : [];
  if (mutation[other] === undefined) return errors;
  const detail = `must not be specified when patchType is ${patchType}`;
  return [...errors, fieldError.invalid(path.child(other), `{${other}}`, detail)];
}
