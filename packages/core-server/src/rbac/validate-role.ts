import {
  declarative,
  type FieldError,
  type FieldPath,
  fieldError,
  type NameValidator,
  root,
  validatePathSegmentName,
} from '@tributary/apimachinery';
import {
  type SelectorLeniency,
  selectorOf,
  validateSelectorTerms,
} from './label-selector-terms.ts';
import type { AggregationRule, ClusterRole, PolicyRule, Role } from './types.ts';

/** Names of all four kinds and `generateName`: any path segment, colons included. */
export const validateRbacName: NameValidator = (name) => validatePathSegmentName(name);

/** Also validates updates. */
export function validateRole(role: Role): FieldError[] {
  return validateRules(role.rules ?? [], { namespaced: true });
}

export function validateClusterRole(
  role: ClusterRole,
  leniency: SelectorLeniency = {},
): FieldError[] {
  return [
    ...validateRules(role.rules ?? [], { namespaced: false }),
    ...validateAggregationRule(role.aggregationRule, leniency),
  ];
}

export function validateClusterRoleUpdate(role: ClusterRole, oldRole: ClusterRole): FieldError[] {
  const { clusterRoleSelectors = [] } = oldRole.aggregationRule ?? {};
  const allowInvalidValues = clusterRoleSelectors.some(
    (terms) => validateSelectorTerms(terms, SELECTORS).length > 0,
  );
  return validateClusterRole(role, { allowInvalidValues });
}

const SELECTORS = root('aggregationRule', 'clusterRoleSelectors');

function validateRules(
  rules: readonly PolicyRule[],
  scope: { readonly namespaced: boolean },
): FieldError[] {
  return rules.flatMap((rule, index) => validateRule(rule, root('rules').index(index), scope));
}

function validateRule(
  rule: PolicyRule,
  path: FieldPath,
  { namespaced }: { readonly namespaced: boolean },
): FieldError[] {
  const { verbs, apiGroups, resources, resourceNames, nonResourceURLs = [] } = rule;
  const errors: FieldError[] = [];
  if (isEmpty(verbs)) {
    errors.push(declarative(fieldError.required(path.child('verbs'))));
  }
  if (nonResourceURLs.length > 0) {
    const urls = path.child('nonResourceURLs');
    if (namespaced) {
      const detail = 'namespaced rules cannot apply to non-resource URLs';
      errors.push(fieldError.invalid(urls, nonResourceURLs, detail));
    }
    if (!isEmpty(apiGroups) || !isEmpty(resources) || !isEmpty(resourceNames)) {
      const detail = 'rules cannot apply to both regular resources and non-resource URLs';
      errors.push(fieldError.invalid(urls, nonResourceURLs, detail));
    }
    return errors;
  }
  if (isEmpty(apiGroups)) {
    const detail = 'resource rules must supply at least one api group';
    errors.push(fieldError.required(path.child('apiGroups'), detail));
  }
  if (isEmpty(resources)) {
    const detail = 'resource rules must supply at least one resource';
    errors.push(fieldError.required(path.child('resources'), detail));
  }
  return errors;
}

function validateAggregationRule(
  rule: AggregationRule | undefined,
  leniency: SelectorLeniency,
): FieldError[] {
  if (rule === undefined || rule === null) return [];
  const { clusterRoleSelectors = [] } = rule;
  if (clusterRoleSelectors.length === 0) {
    const detail = 'at least one clusterRoleSelector required if aggregationRule is non-nil';
    return [fieldError.required(SELECTORS, detail)];
  }
  return clusterRoleSelectors.flatMap((terms, index) => {
    const path = SELECTORS.index(index);
    const errors = validateSelectorTerms(terms, path, leniency);
    if (selectorOf(terms) === undefined) {
      // Upstream prints the selector that could not be created, which is nil.
      errors.push(fieldError.invalid(path, null, 'invalid label selector.'));
    }
    return errors;
  });
}

function isEmpty(values: readonly string[] | undefined): boolean {
  return values === undefined || values.length === 0;
}
