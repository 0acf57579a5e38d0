/** Validation of bindings beyond their metadata, which the server validates for every kind. */
import {
  declarative,
  type FieldError,
  type FieldPath,
  fieldError,
  fieldImmutable,
  goJson,
  goText,
  root,
  validateDnsSubdomainName,
} from '@tributary/apimachinery';
import { RBAC_GROUP, type RoleBinding, type RoleRef, type Subject } from './types.ts';
import { validateRbacName } from './validate-role.ts';

export interface BindingRules {
  /** The kinds that `roleRef` may have. */
  readonly roleKinds: readonly string[];
  readonly namespaced: boolean;
}

export const roleBindingRules: BindingRules = {
  roleKinds: ['Role', 'ClusterRole'],
  namespaced: true,
};

export const clusterRoleBindingRules: BindingRules = {
  roleKinds: ['ClusterRole'],
  namespaced: false,
};

const ROLE_REF = root('roleRef');

/** `live` is the stored object of an update; `validateSameRole` has its other rules. */
export function validateBinding(
  { roleRef, subjects }: RoleBinding,
  rules: BindingRules,
  live?: RoleBinding,
): FieldError[] {
  const { name = '' } = roleRef ?? {};
  const nameErrors = name === '' ? [fieldError.required(ROLE_REF.child('name'))] : [];
  return [
    ...validateRoleRef(roleRef ?? {}, rules),
    // Declarative validation of an update stops at the change of an immutable field.
    ...(live === undefined ? [] : nameErrors),
    ...(subjects ?? []).flatMap((subject, index) =>
      validateSubject(subject, root('subjects').index(index), rules),
    ),
    ...(live === undefined ? nameErrors.map(declarative) : []),
  ];
}

function validateRoleRef(
  { apiGroup = '', kind = '', name = '' }: RoleRef,
  { roleKinds }: BindingRules,
): FieldError[] {
  const errors: FieldError[] = [];
  if (apiGroup !== RBAC_GROUP) {
    errors.push(fieldError.notSupported(ROLE_REF.child('apiGroup'), apiGroup, [RBAC_GROUP]));
  }
  if (!roleKinds.includes(kind)) {
    errors.push(fieldError.notSupported(ROLE_REF.child('kind'), kind, roleKinds));
  }
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
  if (name === '') errors.push(declarative(fieldError.required(path.child('name'))));
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

/** `roleRef` is immutable: another role would give the subjects permissions that their granter did not review. */
export function validateSameRole(next: RoleBinding, live: RoleBinding): FieldError[] {
  const { apiGroup = '', kind = '', name = '' } = next.roleRef ?? {};
  const { roleRef } = live;
  if (
    apiGroup === (roleRef.apiGroup ?? '') &&
    kind === (roleRef.kind ?? '') &&
    name === (roleRef.name ?? '')
  ) {
    return [];
  }
  // The names of the fields in Go, because upstream prints the Go struct here.
  const shown = goText(goJson({ APIGroup: apiGroup, Kind: kind, Name: name }));
  return [fieldError.invalid(ROLE_REF, shown, fieldImmutable)];
}
