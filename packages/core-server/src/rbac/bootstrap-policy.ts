import { bootstrapPolicyJson } from './bootstrap-policy.generated.ts';
import { RBAC_API_VERSION, type RbacObjects, type RbacResource } from './types.ts';

/** In the order of creation: a role precedes its bindings. */
export const RBAC_KINDS: Readonly<Record<RbacResource, string>> = {
  clusterroles: 'ClusterRole',
  clusterrolebindings: 'ClusterRoleBinding',
  roles: 'Role',
  rolebindings: 'RoleBinding',
};

export const RBAC_RESOURCES = Object.keys(RBAC_KINDS) as readonly RbacResource[];

/** The roles and bindings that every cluster has, as complete objects. Callers may modify the result. */
export type BootstrapPolicy = { readonly [Resource in RbacResource]: RbacObjects[Resource][] };

/** Decodes the recorded policy of upstream at each call, because a server needs it only once, at startup. */
export function bootstrapPolicy(): BootstrapPolicy {
  const recorded = JSON.parse(bootstrapPolicyJson) as BootstrapPolicy;
  const complete = <Resource extends RbacResource>(resource: Resource): RbacObjects[Resource][] =>
    recorded[resource].map((object) => ({
      ...object,
      apiVersion: RBAC_API_VERSION,
      kind: RBAC_KINDS[resource],
    }));
  return {
    clusterroles: complete('clusterroles'),
    clusterrolebindings: complete('clusterrolebindings'),
    roles: complete('roles'),
    rolebindings: complete('rolebindings'),
  };
}
