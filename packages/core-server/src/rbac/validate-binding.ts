/** What is asked of bindings besides their metadata, which the server checks for every kind. */
import {
  type FieldError,
  type FieldPath,
  fieldError,
  goJson,
  goText,
  root,
  validateDnsSubdomainName,
} from '@tributary/apimachinery';
import { RBAC_GROUP, type RoleBinding, type RoleRef, type Subject } from './types.ts';
import { validateRbacName } from './validate-role.ts';

export function validateRoleBinding(binding: RoleBinding): FieldError[] {
  return validateBinding(binding, { kinds: ['Role', 'ClusterRole'], namespaced: true });
}

export function validateClusterRoleBinding(binding: RoleBinding): FieldError[] {
  return validateBinding(binding, { kinds: ['ClusterRole'], namespaced: false });
}

export function validateRoleBindingUpdate(next: RoleBinding, live: RoleBinding): FieldError[] {
  return [...validateRoleBinding(next), ...validateSameRole(next.roleRef, live.roleRef)];
}

export function validateClusterRoleBindingUpdate(
  next: RoleBinding,
  live: RoleBinding,
): FieldError[] {
  return [...validateClusterRoleBinding(next), ...validateSameRole(next.roleRef, live.roleRef)];
}

interface BindingRules {
  readonly kinds: readonly string[];
  readonly namespaced: boolean;
}

const ROLE_REF = root('roleRef');

function validateBinding({ roleRef, subjects }: RoleBinding, rules: BindingRules): FieldError[] {
  return [
    ...validateRoleRef(roleRef ?? {}, rules),
    ...(subjects ?? []).flatMap((subject, index) =>
      validateSubject(subject, root('subjects').index(index), rules),
    ),
  ];
}

function validateRoleRef(
  { apiGroup = '', kind = '', name = '' }: RoleRef,
  { kinds }: BindingRules,
): FieldError[] {
  const errors: FieldError[] = [];
  if (apiGroup !== RBAC_GROUP) {
    errors.push(fieldError.notSupported(ROLE_REF.child('apiGroup'), apiGroup, [RBAC_GROUP]));
  }
  if (!kinds.includes(kind)) {
    errors.push(fieldError.notSupported(ROLE_REF.child('kind'), kind, kinds));
  }
  if (name === '') errors.push(fieldError.required(ROLE_REF.child('name')));
  for (const detail of validateRbacName(name)) {
    errors.push(fieldError.invalid(ROLE_REF.child('name'), name, detail));
  }
  return errors;
}

function validateSubject(
  { kind = '', apiGroup = '', name = '', namespace = '' }: Subject,
  path: FieldPath,
  { namespaced }: BindingRules,
): FieldError[] {
  const errors: FieldError[] = [];
  if (name === '') errors.push(fieldError.required(path.child('name')));
  switch (kind) {
    case 'ServiceAccount':
      for (const detail of name === '' ? [] : validateDnsSubdomainName(name)) {
        errors.push(fieldError.invalid(path.child('name'), name, detail));
      }
      if (apiGroup !== '') {
        errors.push(fieldError.notSupported(path.child('apiGroup'), apiGroup, ['']));
      }
      if (!namespaced && namespace === '') {
        errors.push(fieldError.required(path.child('namespace')));
      }
      return errors;
    case 'User':
    case 'Group':
      if (apiGroup !== RBAC_GROUP) {
        errors.push(fieldError.notSupported(path.child('apiGroup'), apiGroup, [RBAC_GROUP]));
      }
      return errors;
    default:
      errors.push(
        fieldError.notSupported(path.child('kind'), kind, ['ServiceAccount', 'User', 'Group']),
      );
      return errors;
  }
}

/** A binding is given once: another role would give its subjects what nobody looked at. */
function validateSameRole(next: RoleRef, live: RoleRef): FieldError[] {
  const { apiGroup = '', kind = '', name = '' } = next ?? {};
  if (
    apiGroup === (live.apiGroup ?? '') &&
    kind === (live.kind ?? '') &&
    name === (live.name ?? '')
  ) {
    return [];
  }
  // The names of the fields in Go, because upstream shows its own type here.
  const shown = goText(goJson({ APIGroup: apiGroup, Kind: kind, Name: name }));
  return [fieldError.invalid(ROLE_REF, shown, 'cannot change roleRef')];
}
