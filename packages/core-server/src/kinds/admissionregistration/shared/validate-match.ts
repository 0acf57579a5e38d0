/** Validates the match rules of webhooks and policies. */

import type { MatchCondition, MatchResources } from '@tributary/api/admissionregistration-v1';
import { type FieldError, type FieldPath, fieldError } from '@tributary/apimachinery';
import { validateSelectorTerms } from '../../../rbac/label-selector-terms.ts';
import { validateQualifiedName } from '../../shared/validate-names.ts';
import {
  duplicateIndexes,
  isBlank,
  validateRequiredSupported,
  validateSupported,
} from '../../shared/validate-values.ts';
import { validateNamedRule } from './validate-rules.ts';

export const MATCH_POLICIES: readonly string[] = ['Equivalent', 'Exact'];
const MUTATING_OPERATIONS = ['*', 'CONNECT', 'CREATE', 'UPDATE'];
const CONDITIONS_MAX = 64;

export function validateMatch(match: MatchResources, path: FieldPath): FieldError[] {
  const { resourceRules = [], excludeResourceRules = [] } = match;
  return [
    ...validateRequiredSupported(match.matchPolicy, MATCH_POLICIES, path.child('matchPolicy')),
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

/** The constraints of a policy must name a resource, which gives its expressions their types. */
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

/** A deleted object cannot be mutated. */
export function validateMutatingOperations(
  { resourceRules = [] }: MatchResources,
  path: FieldPath,
): FieldError[] {
  return resourceRules
    .flatMap(({ operations = [] }) => operations)
    .flatMap((operation) =>
      validateSupported(operation, MUTATING_OPERATIONS, path.child('resourceRules', 'operations')),
    );
}

export function validateMatchConditions(
  conditions: readonly MatchCondition[],
  path: FieldPath,
): FieldError[] {
  const repeated = duplicateIndexes(conditions.map(({ name }) => name));
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
