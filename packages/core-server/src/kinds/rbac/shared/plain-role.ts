import type { ClusterRole, Role } from '@tributary/api/rbac-v1';
import type { ClusterRole as PlainRole } from '../../../rbac/types.ts';

/** A rule without verbs, which is invalid, has null for Go's nil slice. */
export function roleWithRules({ rules, ...role }: ClusterRole | Role): PlainRole {
  return {
    ...role,
    rules: (rules ?? []).map(({ verbs, ...rule }) => ({ ...rule, ...(verbs && { verbs }) })),
  };
}
