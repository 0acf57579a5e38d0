import { RBAC_GROUP, type RoleBinding } from './types.ts';

/** Fills in the groups that people leave out, for both kinds of bindings. It changes the object it is given. */
export function defaultBinding(binding: RoleBinding): void {
  if (!binding.roleRef?.apiGroup) binding.roleRef = { ...binding.roleRef, apiGroup: RBAC_GROUP };
  for (const subject of binding.subjects ?? []) {
    if (subject.apiGroup) continue;
    if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup = RBAC_GROUP;
  }
}
