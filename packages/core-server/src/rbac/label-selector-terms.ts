import {
  type FieldError,
  type FieldPath,
  fieldError,
  type LabelOperator,
  LabelSelector,
  labelValueErrors,
  qualifiedNameErrors,
  validateLabels,
} from '@tributary/apimachinery';
import type { LabelSelectorExpression, LabelSelectorTerms } from './types.ts';

export interface SelectorLeniency {
  /** For updates of objects that were stored before values were validated. */
  readonly allowInvalidValues?: boolean;
}

/** The selector of these terms, or undefined when they are invalid. No terms select everything. */
export function selectorOf(terms: LabelSelectorTerms): LabelSelector | undefined {
  const { matchLabels = {}, matchExpressions = [] } = terms;
  const requirements = [
    ...Object.entries(matchLabels).map(([key, value]) => ({
      key,
      operator: 'In',
      values: [value],
    })),
    ...matchExpressions,
  ];
  if (!requirements.every(isValidRequirement)) return undefined;
  return new LabelSelector(
    requirements.map(({ key, operator, values = [] }) => ({
      key,
      operator: OPERATORS.get(operator) ?? 'exists',
      values: [...new Set(values)].sort(),
    })),
  );
}

export function validateSelectorTerms(
  { matchLabels, matchExpressions = [] }: LabelSelectorTerms,
  path: FieldPath,
  leniency: SelectorLeniency = {},
): FieldError[] {
  return [
    ...validateLabels(matchLabels, path.child('matchLabels')),
    ...matchExpressions.flatMap((expression, index) =>
      validateExpression(expression, path.child('matchExpressions').index(index), leniency),
    ),
  ];
}

const OPERATORS: ReadonlyMap<string, LabelOperator> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

function isValidRequirement({ key, operator, values = [] }: LabelSelectorExpression): boolean {
  const needsValues = operator === 'In' || operator === 'NotIn';
  return (
    OPERATORS.has(operator) &&
    needsValues === values.length > 0 &&
    qualifiedNameErrors(key).length === 0 &&
    values.every((value) => labelValueErrors(value).length === 0)
  );
}

function validateExpression(
  { key = '', operator = '', values = [] }: LabelSelectorExpression,
  path: FieldPath,
  { allowInvalidValues = false }: SelectorLeniency,
): FieldError[] {
  const errors = operatorErrors(operator, values, path);
  for (const detail of qualifiedNameErrors(key)) {
    errors.push(fieldError.invalid(path.child('key'), key, detail));
  }
  if (allowInvalidValues) return errors;
  for (const [index, value] of values.entries()) {
    for (const detail of labelValueErrors(value)) {
      errors.push(fieldError.invalid(path.child('values').index(index), value, detail));
    }
  }
  return errors;
}

function operatorErrors(
  operator: string,
  values: readonly string[],
  path: FieldPath,
): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length > 0) return [];
      return [
        fieldError.required(
          path.child('values'),
          "must be specified when `operator` is 'In' or 'NotIn'",
        ),
      ];
    case 'Exists':
    case 'DoesNotExist':
      if (values.length === 0) return [];
      return [
        fieldError.forbidden(
          path.child('values'),
          "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        ),
      ];
    default:
      return [
        fieldError.invalid(path.child('operator'), operator, 'not a valid selector operator'),
      ];
  }
}
