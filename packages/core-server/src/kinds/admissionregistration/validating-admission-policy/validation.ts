import type {
  AuditAnnotation,
  ValidatingAdmissionPolicy,
  Validation,
} from '@tributary/api/admissionregistration-v1';
import {
  type FieldError,
  type FieldPath,
  fieldError,
  qualifiedNameErrors,
  root,
} from '@tributary/apimachinery';
import { metadataErrors } from '../../shared/object-metadata.ts';
import {
  duplicateIndexes,
  isBlank,
  validateRequiredSupported,
  validateSupported,
} from '../../shared/validate-values.ts';
import { validateConstraints, validateMatchConditions } from '../shared/validate-match.ts';
import { validateParamKind, validateVariables } from '../shared/validate-policy-parts.ts';
import { FAILURE_POLICIES, METADATA_RULES } from '../shared/validate-webhooks.ts';

const SPEC = root('spec');
const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const AUDIT_ANNOTATIONS_MAX = 20;
const VALUE_EXPRESSION_BYTES_MAX = 5 * 1024;
const NOTHING = 'validations or auditAnnotations must contain at least one item';

export function validateValidatingPolicy(policy: ValidatingAdmissionPolicy): FieldError[] {
  const { spec, metadata } = policy;
  const { matchConditions = [], variables = [], validations = [], auditAnnotations = [] } = spec;
  return [
    ...metadataErrors(policy, METADATA_RULES),
    ...validateRequiredSupported(spec.failurePolicy, FAILURE_POLICIES, SPEC.child('failurePolicy')),
    ...(spec.paramKind ? validateParamKind(spec.paramKind, SPEC.child('paramKind')) : []),
    ...validateConstraints(spec.matchConstraints, SPEC.child('matchConstraints')),
    ...validateMatchConditions(matchConditions, SPEC.child('matchConditions')),
    ...validateVariables(variables, SPEC.child('variables')),
    ...(validations.length === 0 && auditAnnotations.length === 0
      ? [
          fieldError.required(SPEC.child('validations'), NOTHING),
          fieldError.required(SPEC.child('auditAnnotations'), NOTHING),
        ]
      : []),
    ...validations.flatMap((validation, index) =>
      validateValidation(validation, SPEC.child('validations').index(index)),
    ),
    ...validateAuditAnnotations(auditAnnotations, metadata.name ?? ''),
  ];
}

function validateValidation(validation: Validation, path: FieldPath): FieldError[] {
  const { expression, message = '', messageExpression = '', reason } = validation;
  const notEmpty = (name: string, value: string) =>
    value !== '' && isBlank(value)
      ? [fieldError.invalid(path.child(name), value, 'must be non-empty if specified')]
      : [];
  return [
    ...(isBlank(expression)
      ? [fieldError.required(path.child('expression'), 'expression is not specified')]
      : []),
    ...notEmpty('messageExpression', messageExpression),
    ...notEmpty('message', message),
    ...(/[\n\r]/.test(message.trim())
      ? [fieldError.invalid(path.child('message'), message, 'must not contain line breaks')]
      : []),
    ...validateSupported(reason, REASONS, path.child('reason')),
  ];
}

function validateAuditAnnotations(
  annotations: readonly AuditAnnotation[],
  policyName: string,
): FieldError[] {
  const path = SPEC.child('auditAnnotations');
  const repeated = duplicateIndexes(annotations.map(({ key }) => key));
  const detail = `must not have more than ${AUDIT_ANNOTATIONS_MAX} auditAnnotations`;
  return [
    ...(annotations.length > AUDIT_ANNOTATIONS_MAX
      ? [fieldError.invalid(path, annotations, detail)]
      : []),
    ...annotations.flatMap((annotation, index) => {
      const at = path.index(index);
      return [
        ...validateAuditKey(annotation.key, policyName, at.child('key')),
        ...validateValueExpression(annotation.valueExpression, at.child('valueExpression')),
        ...(repeated.has(index) ? [fieldError.duplicate(at.child('key'), annotation.key)] : []),
      ];
    }),
  ];
}

/** The policy's name is the prefix of the annotation key in audit events, so both together must be a valid key. */
function validateAuditKey(key: string, policyName: string, path: FieldPath): FieldError[] {
  if (policyName === '') {
    return [fieldError.invalid(path, key, 'requires metadata.name be non-empty')];
  }
  const whole = `${policyName}/${key}`;
  return qualifiedNameErrors(whole).map((detailText) =>
    fieldError.invalid(path, whole, detailText),
  );
}

function validateValueExpression(expression: string, path: FieldPath): FieldError[] {
  if (isBlank(expression)) return [fieldError.required(path, 'valueExpression is not specified')];
  if (Buffer.byteLength(expression.trim()) <= VALUE_EXPRESSION_BYTES_MAX) return [];
  const detail = `must not exceed ${VALUE_EXPRESSION_BYTES_MAX} bytes in length`;
  return [fieldError.required(path, detail)];
}
