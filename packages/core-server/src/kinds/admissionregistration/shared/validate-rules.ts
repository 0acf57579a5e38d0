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
import { duplicates, supported } from '../../shared/validate-values.ts';

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const SCOPES = ['*', 'Cluster', 'Namespaced'];

export function validateRule(rule: RuleWithOperations, path: FieldPath): FieldError[] {
  const { operations = [], apiGroups = [], apiVersions = [], resources = [], scope } = rule;
  const at = (name: string) => path.child(name);
  return [
    ...someOrAll(operations, at('operations'), 'operations'),
    ...operations.flatMap((one, index) =>
      supported(one, OPERATIONS, at('operations').index(index)),
    ),
    // The empty group is the core group.
    ...someOrAll(apiGroups, at('apiGroups'), 'API groups'),
    ...someOrAll(apiVersions, at('apiVersions'), 'API versions'),
    ...noneEmpty(apiVersions, at('apiVersions')),
    ...validateResources(resources, at('resources')),
    ...supported(scope, SCOPES, at('scope')),
  ];
}

export function validateNamedRule(rule: NamedRuleWithOperations, path: FieldPath): FieldError[] {
  const names = path.child('resourceNames');
  const { resourceNames = [] } = rule;
  const repeated = duplicates(resourceNames);
  return [
    ...resourceNames.flatMap((name, index) => [
      ...validatePathSegmentName(name).map((why) =>
        fieldError.invalid(names.index(index), name, why),
      ),
      ...(repeated.has(index) ? [fieldError.duplicate(names.index(index), name)] : []),
    ]),
    ...validateRule(rule, path),
  ];
}

function someOrAll(values: readonly string[], path: FieldPath, noun: string): FieldError[] {
  if (values.length === 0) return [fieldError.required(path)];
  if (values.length === 1 || !values.includes('*')) return [];
  return [fieldError.invalid(path, values, `if '*' is present, must not specify other ${noun}`)];
}

function noneEmpty(values: readonly string[], path: FieldPath): FieldError[] {
  return values.flatMap((value, index) =>
    value === '' ? [fieldError.required(path.index(index))] : [],
  );
}

/** A star stands for resources without subresources; terms with a slash for parts of the rest. */
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
  // Upstream remembers only the last one of those without a subresource.
  const bare = resources.findLast((resource) => resource !== '' && !resource.includes('/'));
  if (before.has('*') && bare !== undefined && bare !== '*') {
    errors.push(all("if '*' is present, must not specify other resources without subresources"));
  }
  return errors;
}

/** Which terms say the same. */
function coveringTerms(resource: string): string[] {
  const slash = resource.indexOf('/');
  if (slash === -1) return [];
  return [`${resource.slice(0, slash)}/*`, `*/${resource.slice(slash + 1)}`];
}
