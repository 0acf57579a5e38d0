/** Validation of a rule's declaration, before its expression is compiled. */
import { type FieldError, type FieldPath, fieldError } from '@tributary/apimachinery';
import type { JsonSchema } from '../json-schema.ts';
import { ruleFieldPath } from './rule-field-path.ts';
import { rulesIn, type ValidationRule } from './validation-rule.ts';

const REASONS: readonly string[] = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
];

/** Returns the errors of the rules of one schema, without those of schemas within it; `path` is the schema's. */
export function ruleDeclarationErrors(schema: JsonSchema, path: FieldPath): FieldError[] {
  return rulesIn(schema).flatMap((rule, index) => {
    const place = path.child('x-kubernetes-validations').index(index);
    return [
      ...textErrors(rule, place),
      ...reasonErrors(rule, place),
      ...fieldPathErrors(rule, schema, place),
    ];
  });
}

/** Only the first error of rule and message is reported. */
function textErrors(rule: ValidationRule, place: FieldPath): FieldError[] {
  const { message = '', messageExpression = '' } = rule;
  const errors: FieldError[] = [];
  if (rule.rule.trim() === '') {
    errors.push(fieldError.required(place.child('rule'), 'rule is not specified'));
  } else if (isBlank(message)) {
    const detail = 'must be non-empty if specified';
    errors.push(fieldError.invalid(place.child('message'), message, detail));
  } else if (hasLineBreaks(message.trim())) {
    const detail = 'must not contain line breaks';
    errors.push(fieldError.invalid(place.child('message'), message, detail));
  } else if (hasLineBreaks(rule.rule.trim()) && message === '') {
    const detail = 'message must be specified if rule contains line breaks';
    errors.push(fieldError.required(place.child('message'), detail));
  }
  if (isBlank(messageExpression)) {
    const detail = 'messageExpression must be non-empty if specified';
    errors.push(fieldError.required(place.child('messageExpression'), detail));
  }
  return errors;
}

function reasonErrors({ reason }: ValidationRule, place: FieldPath): FieldError[] {
  if (reason === undefined || REASONS.includes(reason)) return [];
  return [fieldError.notSupported(place.child('reason'), reason, REASONS)];
}

function fieldPathErrors(
  { fieldPath = '' }: ValidationRule,
  schema: JsonSchema,
  place: FieldPath,
): FieldError[] {
  if (fieldPath === '') return [];
  const details = [
    ...(isBlank(fieldPath) ? ['must be non-empty if specified'] : []),
    ...(hasLineBreaks(fieldPath) ? ['must not contain line breaks'] : []),
    ...(ruleFieldPath(fieldPath, schema) === undefined ? ['must be a valid path'] : []),
  ];
  return details.map((detail) => fieldError.invalid(place.child('fieldPath'), fieldPath, detail));
}

function isBlank(text: string): boolean {
  return text !== '' && text.trim() === '';
}

function hasLineBreaks(text: string): boolean {
  return /[\n\r]/.test(text);
}
