import type {
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
} from '@tributary/api/flowcontrol-v1';
import {
  dns1123LabelErrors,
  type FieldError,
  type FieldPath,
  fieldError,
} from '@tributary/apimachinery';
import { validateSubject } from './validate-subject.ts';

const ALL = '*';
/** In upstream's order. */
const VERBS = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'proxy',
  'update',
  'watch',
];

export function validateRules(rule: PolicyRulesWithSubjects, path: FieldPath): FieldError[] {
  const { subjects, resourceRules = [], nonResourceRules = [] } = rule;
  const isEmpty = resourceRules.length === 0 && nonResourceRules.length === 0;
  const many = path.child('subjects');
  return [
    ...(subjects === null || subjects.length === 0
      ? [fieldError.required(many, 'subjects must contain at least one value')]
      : subjects.flatMap((subject, at) => validateSubject(subject, many.index(at)))),
    ...(isEmpty
      ? [
          fieldError.required(
            path,
            'at least one of resourceRules and nonResourceRules has to be non-empty',
          ),
        ]
      : []),
    ...resourceRules.flatMap((one, at) =>
      validateResourceRule(one, path.child('resourceRules').index(at)),
    ),
    ...nonResourceRules.flatMap((one, at) =>
      validateNonResourceRule(one, path.child('nonResourceRules').index(at)),
    ),
  ];
}

function validateResourceRule(rule: ResourcePolicyRule, path: FieldPath): FieldError[] {
  return [
    ...validateVerbs(rule.verbs ?? [], path.child('verbs')),
    ...validateList(rule.apiGroups ?? [], path.child('apiGroups'), {
      missing: 'resource rules must supply at least one api group',
      others: 'api groups',
    }),
    ...validateList(rule.resources ?? [], path.child('resources'), {
      missing: 'resource rules must supply at least one resource',
      others: 'resources',
    }),
    ...validateNamespaces(rule, path.child('namespaces')),
  ];
}

function validateNonResourceRule(rule: NonResourcePolicyRule, path: FieldPath): FieldError[] {
  const urls = rule.nonResourceURLs ?? [];
  const at = path.child('nonResourceURLs');
  return [
    ...validateVerbs(rule.verbs ?? [], path.child('verbs')),
    ...validateList(urls, at, {
      missing: 'nonResourceURLs must contain at least one value',
      others: 'non-resource URLs',
    }),
    ...(urls.includes(ALL) ? [] : urls.flatMap((url, index) => validateUrl(url, at.index(index)))),
  ];
}

function validateVerbs(verbs: readonly string[], path: FieldPath): FieldError[] {
  const errors = validateList(verbs, path, {
    missing: 'verbs must contain at least one value',
    others: 'verbs',
  });
  if (verbs.includes(ALL) || verbs.every((verb) => VERBS.includes(verb))) return errors;
  return [...errors, fieldError.notSupported(path, verbs, VERBS)];
}

/** `*` excludes other items. */
function validateList(
  list: readonly string[],
  path: FieldPath,
  { missing, others }: { missing: string; others: string },
): FieldError[] {
  if (list.length === 0) return [fieldError.required(path, missing)];
  if (list.length === 1 || !list.includes(ALL)) return [];
  return [fieldError.invalid(path, list, `if '*' is present, must not specify other ${others}`)];
}

function validateNamespaces(rule: ResourcePolicyRule, path: FieldPath): FieldError[] {
  const namespaces = rule.namespaces ?? [];
  if (namespaces.length === 0 && rule.clusterScope === true) return [];
  const errors = validateList(namespaces, path, {
    missing: 'resource rules that are not cluster scoped must supply at least one namespace',
    others: 'namespaces',
  });
  if (namespaces.includes(ALL)) return errors;
  const wrong = namespaces.flatMap((namespace, at) =>
    dns1123LabelErrors(namespace).map((detail) =>
      fieldError.invalid(
        path.index(at),
        namespace,
        `each member of this list must be '*' or a DNS-1123 label; ${detail}`,
      ),
    ),
  );
  return [...errors, ...wrong];
}

function validateUrl(url: string, path: FieldPath): FieldError[] {
  const wrong = wrongUrl(url);
  return wrong === undefined ? [] : [fieldError.invalid(path, url, wrong)];
}

function wrongUrl(url: string): string | undefined {
  if (url === '') return 'must not be empty';
  if (url === '/') return undefined;
  if (!url.startsWith('/')) return 'must start with slash';
  if (url.includes(' ')) return 'must not contain white-space';
  if (url.includes('//')) return 'must not contain double slash';
  const stars = url.split(ALL).length - 1;
  const isSuffix = stars === 0 || (stars === 1 && url.endsWith('/*'));
  return isSuffix ? undefined : 'wildcard can only do suffix matching';
}
