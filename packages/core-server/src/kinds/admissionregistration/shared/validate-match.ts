/** What requests a webhook or a policy is about. */

import type { MatchCondition, MatchResources } from '@tributary/api/admissionregistration-v1';
import { type FieldError, type FieldPath, fieldError } from '@tributary/apimachinery';
import { validateSelectorTerms } from '../../../rbac/label-selector-terms.ts';
import { validateQualifiedName } from '../../shared/validate-names.ts';
import {
  duplicates,
  isBlank,
  requiredAndSupported,
  supported,
} from '../../shared/validate-values.ts';
import { validateNamedRule } from './validate-rules.ts';

export const MATCH_POLICIES: readonly string[] = ['Equivalent', 'Exact'];
const MUTATING_OPERATIONS = ['*', 'CONNECT', 'CREATE', 'UPDATE'];
const CONDITIONS_MAX = 64;

export function validateMatch(match: MatchResources, path: FieldPath): FieldError[] {
  const { resourceRules = [], excludeResourceRules = [] } = match;
  return [
    ...requiredAndSupported(match.matchPolicy, MATCH_POLICIES, path.child('matchPolicy')),
    ...validateSelectors(match, path),
    ...resourceRules.flatMap((rule, index) =>
      validateNamedRule(rule, path.child('resourceRules').index(index)),
    ),
    ...excludeResourceRules.flatMap((rule, index) =>
      validateNamedRule(rule, path.child('excludeResourceRules').index(index)),
    ),
  ];
}

export function validateSelectors(
  {
    namespaceSelector,
    objectSelector,
  }: Pick<MatchResources, 'namespaceSelector' | 'objectSelector'>,
  path: FieldPath,
): FieldError[] {
  return [
    ...validateSelectorTerms(namespaceSelector ?? {}, path.child('namespaceSelector')),
    ...validateSelectorTerms(objectSelector ?? {}, path.child('objectSelector')),
  ];
}

/** Constraints of a policy say at least one resource, whose type its expressions know. */
export function validateConstraints(
  constraints: MatchResources | undefined,
  path: FieldPath,
): FieldError[] {
  if (constraints === undefined) return [fieldError.required(path)];
  const { resourceRules = [] } = constraints;
  return [
    ...validateMatch(constraints, path),
    ...(resourceRules.length === 0 ? [fieldError.required(path.child('resourceRules'))] : []),
  ];
}

/** What is deleted cannot be changed. */
export function validateMutatingOperations(
  { resourceRules = [] }: MatchResources,
  path: FieldPath,
): FieldError[] {
  return resourceRules
    .flatMap(({ operations = [] }) => operations)
    .flatMap((operation) =>
      supported(operation, MUTATING_OPERATIONS, path.child('resourceRules', 'operations')),
    );
}

export function validateMatchConditions(
  conditions: readonly MatchCondition[],
  path: FieldPath,
): FieldError[] {
  const repeated = duplicates(conditions.map(({ name }) => name));
  const errors =
    conditions.length > CONDITIONS_MAX
      ? [fieldError.tooMany(path, conditions.length, CONDITIONS_MAX)]
      : [];
  return [
    ...errors,
    ...conditions.flatMap(({ name, expression }, index) => {
      const at = path.index(index);
      return [
        ...(isBlank(expression) ? [fieldError.required(at.child('expression'))] : []),
        ...(name === ''
          ? [fieldError.required(at.child('name'))]
          : validateQualifiedName(at.child('name'), name)),
        ...(name !== '' && repeated.has(index)
          ? [fieldError.duplicate(at.child('name'), name)]
          : []),
      ];
    }),
  ];
}
