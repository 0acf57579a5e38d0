import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '@tributary/api/rbac-v1';
import type { ResourceDefinition } from '@tributary/server';
import type { EscalationSources } from '../../rbac/escalation.ts';
import { clusterRoleBindingKind, roleBindingKind } from './binding-kinds.ts';
import { clusterRoleKind, roleKind } from './role-kinds.ts';

export interface RbacKinds {
  readonly role: ResourceDefinition<Role>;
  readonly clusterRole: ResourceDefinition<ClusterRole>;
  readonly roleBinding: ResourceDefinition<RoleBinding>;
  readonly clusterRoleBinding: ResourceDefinition<ClusterRoleBinding>;
}

/** Everything in `rbac.authorization.k8s.io`. The sources decide whether a writer may give away what it allows. */
export function rbacKinds(sources: EscalationSources): RbacKinds {
  return {
    role: roleKind(sources),
    clusterRole: clusterRoleKind(sources),
    roleBinding: roleBindingKind(sources),
    clusterRoleBinding: clusterRoleBindingKind(sources),
  };
}
