import type { ValidatingAdmissionPolicyStatus } from '@tributary/api/admissionregistration-v1';
import type { Condition } from '@tributary/api/meta-v1';
import {
  type FieldError,
  type FieldPath,
  fieldError,
  regexError,
  root,
} from '@tributary/apimachinery';
import { validateQualifiedName } from '../../shared/validate-names.ts';
import { duplicateIndexes, isBlank } from '../../shared/validate-values.ts';

const STATUS = root('status');
const CONDITION_STATUSES = ['False', 'True', 'Unknown'];
const REASON_BYTES_MAX = 1024;
const MESSAGE_BYTES_MAX = 32 * 1024;

/** Field references must not be empty; upstream does not parse them. */
export function validatePolicyStatus({
  typeChecking: { expressionWarnings = [] } = {},
  conditions = [],
}: ValidatingAdmissionPolicyStatus): FieldError[] {
  const repeated = duplicateIndexes(conditions.map(({ type }) => type));
  const warnings = STATUS.child('typeChecking', 'expressionWarnings');
  return [
    ...expressionWarnings.flatMap(({ warning, fieldRef }, index) => [
      ...(warning === '' ? [fieldError.required(warnings.index(index).child('warning'))] : []),
      ...(isBlank(fieldRef) ? [fieldError.required(warnings.index(index).child('fieldRef'))] : []),
    ]),
    ...conditions.flatMap((condition, index) => {
      const path = STATUS.child('conditions').index(index);
      return [
        ...(repeated.has(index) ? [fieldError.duplicate(path, condition.type)] : []),
        ...validateCondition(condition, path),
      ];
    }),
  ];
}

function validateCondition(condition: Condition, path: FieldPath): FieldError[] {
  const { type, status, observedGeneration = 0, lastTransitionTime, reason, message } = condition;
  const generation = path.child('observedGeneration');
  return [
    ...validateQualifiedName(path.child('type'), type),
    ...(CONDITION_STATUSES.includes(status)
      ? []
      : [fieldError.notSupported(path.child('status'), status, CONDITION_STATUSES)]),
    ...(observedGeneration < 0
      ? [
          fieldError.invalid(
            generation,
            observedGeneration,
            'must be greater than or equal to zero',
          ),
        ]
      : []),
    ...(lastTransitionTime === null ? [fieldError.required(path.child('lastTransitionTime'))] : []),
    ...validateReason(reason, path.child('reason')),
    ...(Buffer.byteLength(message) > MESSAGE_BYTES_MAX
      ? [fieldError.tooLong(path.child('message'), MESSAGE_BYTES_MAX)]
      : []),
  ];
}

const REASON_FORMAT = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const REASON_TEXT =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'";
const REASON_EXAMPLES = ['my_name', 'MY_NAME', 'MyName', 'ReasonA,ReasonB', 'ReasonA:ReasonB'];

function validateReason(reason: string, path: FieldPath): FieldError[] {
  if (reason === '') return [fieldError.required(path)];
  const errors = new RegExp(`^${REASON_FORMAT}$`).test(reason)
    ? []
    : [fieldError.invalid(path, reason, regexError(REASON_TEXT, REASON_FORMAT, REASON_EXAMPLES))];
  if (Buffer.byteLength(reason) <= REASON_BYTES_MAX) return errors;
  return [...errors, fieldError.tooLong(path, REASON_BYTES_MAX)];
}
