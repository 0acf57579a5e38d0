import { RBAC_GROUP, type RoleBinding } from './types.ts';

/** Sets the API groups that manifests may omit, in RoleBindings and ClusterRoleBindings. Modifies its argument. */
export function defaultBinding(binding: RoleBinding): void {
  if (!binding.roleRef?.apiGroup) binding.roleRef = { ...binding.roleRef, apiGroup: RBAC_GROUP };
  for (const subject of binding.subjects ?? []) {
    if (subject.apiGroup) continue;
    if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup = RBAC_GROUP;
  }
}
