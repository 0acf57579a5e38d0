import type { ClusterRole, Role } from '@tributary/api/rbac-v1';
import type { ClusterRole as PlainRole } from '../../../rbac/types.ts';

/** A rule without verbs, which is refused, has null where Go has no list. */
export function plainRole({ rules, ...role }: ClusterRole | Role): PlainRole {
  return {
    ...role,
    rules: (rules ?? []).map(({ verbs, ...rule }) => ({ ...rule, ...(verbs && { verbs }) })),
  };
}
