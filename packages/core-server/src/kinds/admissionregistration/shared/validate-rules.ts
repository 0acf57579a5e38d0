import type {
  NamedRuleWithOperations,
  RuleWithOperations,
} from '@tributary/api/admissionregistration-v1';
import {
  type FieldError,
  type FieldPath,
  fieldError,
  validatePathSegmentName,
} from '@tributary/apimachinery';
import { duplicateIndexes, validateSupported } from '../../shared/validate-values.ts';

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const SCOPES = ['*', 'Cluster', 'Namespaced'];

export function validateRule(rule: RuleWithOperations, path: FieldPath): FieldError[] {
  const { operations = [], apiGroups = [], apiVersions = [], resources = [], scope } = rule;
  const at = (name: string) => path.child(name);
  return [
    ...validateWildcardList(operations, at('operations'), 'operations'),
    ...operations.flatMap((one, index) =>
      validateSupported(one, OPERATIONS, at('operations').index(index)),
    ),
    // The empty group is the core group.
    ...validateWildcardList(apiGroups, at('apiGroups'), 'API groups'),
    ...validateWildcardList(apiVersions, at('apiVersions'), 'API versions'),
    ...validateNoneEmpty(apiVersions, at('apiVersions')),
    ...validateResources(resources, at('resources')),
    ...validateSupported(scope, SCOPES, at('scope')),
  ];
}

export function validateNamedRule(rule: NamedRuleWithOperations, path: FieldPath): FieldError[] {
  const names = path.child('resourceNames');
  const { resourceNames = [] } = rule;
  const repeated = duplicateIndexes(resourceNames);
  return [
    ...resourceNames.flatMap((name, index) => [
      ...validatePathSegmentName(name).map((reason) =>
        fieldError.invalid(names.index(index), name, reason),
      ),
      ...(repeated.has(index) ? [fieldError.duplicate(names.index(index), name)] : []),
    ]),
    ...validateRule(rule, path),
  ];
}

function validateWildcardList(
  values: readonly string[],
  path: FieldPath,
  noun: string,
): FieldError[] {
  if (values.length === 0) return [fieldError.required(path)];
  if (values.length === 1 || !values.includes('*')) return [];
  return [fieldError.invalid(path, values, `if '*' is present, must not specify other ${noun}`)];
}

function validateNoneEmpty(values: readonly string[], path: FieldPath): FieldError[] {
  return values.flatMap((value, index) =>
    value === '' ? [fieldError.required(path.index(index))] : [],
  );
}

/** `*` is all resources without subresources; terms with a slash are subresources. */
function validateResources(resources: readonly string[], path: FieldPath): FieldError[] {
  if (resources.length === 0) return [fieldError.required(path)];
  const before = new Set<string>();
  const errors = resources.flatMap((resource, index) => {
    const at = path.index(index);
    if (resource === '') return [fieldError.required(at)];
    const covering = coveringTerms(resource).filter((term) => before.has(term));
    before.add(resource);
    return covering.map((term) =>
      fieldError.invalid(at, resource, `if '${term}' is present, must not specify ${resource}`),
    );
  });
  const all = (detail: string) => fieldError.invalid(path, resources, detail);
  if (resources.length > 1 && before.has('*/*')) {
    errors.push(all("if '*/*' is present, must not specify other resources"));
  }
  // Upstream keeps only the last resource without a subresource.
  const bare = resources.findLast((resource) => resource !== '' && !resource.includes('/'));
  if (before.has('*') && bare !== undefined && bare !== '*') {
    errors.push(all("if '*' is present, must not specify other resources without subresources"));
  }
  return errors;
}

/** The terms that include a resource. */
function coveringTerms(resource: string): string[] {
  const slash = resource.indexOf('/');
  if (slash === -1) return [];
  return [`${resource.slice(0, slash)}/*`, `*/${resource.slice(slash + 1)}`];
}
