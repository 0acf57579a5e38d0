/** The same writes, judged by the functions of the core server. */
import { invalid, type KubeObject, mergePatch, StatusError } from '@tributary/apimachinery';
import type { UserInfo } from '@tributary/server';
import { RBAC_KINDS } from '../../packages/core-server/src/rbac/bootstrap-policy.ts';
import { defaultBinding } from '../../packages/core-server/src/rbac/default-binding.ts';
import { checkBinding, checkRole } from '../../packages/core-server/src/rbac/escalation.ts';
import { rbacAuthorizer } from '../../packages/core-server/src/rbac/rbac-authorizer.ts';
import type { RbacIndex } from '../../packages/core-server/src/rbac/rbac-index.ts';
import {
  type ClusterRole,
  RBAC_GROUP,
  type RbacResource,
  type RoleBinding,
} from '../../packages/core-server/src/rbac/types.ts';
import {
  clusterRoleBindingRules,
  roleBindingRules,
  validateBinding,
  validateSameRole,
} from '../../packages/core-server/src/rbac/validate-binding.ts';
import {
  validateClusterRole,
  validateClusterRoleUpdate,
  validateRole,
} from '../../packages/core-server/src/rbac/validate-role.ts';
import { policy, type UserKey, users } from '../../packages/core-server/test/policy-fixture.ts';
import type { PolicyCase } from './cases.ts';
import { ACCEPTED, type PolicyResult, refusedAs } from './policy-result.ts';

export async function ourResponse(index: RbacIndex, one: PolicyCase): Promise<PolicyResult> {
  try {
    await compareRow(index, one);
    return ACCEPTED;
  } catch (error) {
    if (error instanceof StatusError) return refusedAs(error.status);
    throw error;
  }
}

async function compareRow(index: RbacIndex, one: PolicyCase): Promise<void> {
  const { resource, write } = one;
  if ('create' in write) {
    return isRole(resource)
      ? roleWrite(index, one, write.create as ClusterRole)
      : bindingWrite(index, one, write.create as RoleBinding);
  }
  const live = policy[resource].find(({ metadata }) => metadata.name === write.of);
  if (live === undefined) throw new Error(`the fixture has no ${resource} ${write.of}`);
  const next = mergePatch(live, write.patch);
  return isRole(resource)
    ? roleWrite(index, one, next as ClusterRole, live)
    : bindingWrite(index, one, next as RoleBinding, live as RoleBinding);
}

function isRole(resource: RbacResource): resource is 'roles' | 'clusterroles' {
  return resource === 'roles' || resource === 'clusterroles';
}

async function roleWrite(
  index: RbacIndex,
  { as, resource, namespace, write }: PolicyCase,
  role: ClusterRole,
  oldRole?: ClusterRole,
): Promise<void> {
  await checkRole(
    {
      user: requester(as),
      role,
      ...(namespace !== undefined && { namespace }),
      ...(oldRole !== undefined && { oldRole }),
      ...('of' in write && { requestName: write.of }),
    },
    sources(index),
  );
  if (resource === 'roles') refuseInvalid(resource, role, validateRole(role));
  else if (oldRole === undefined) refuseInvalid(resource, role, validateClusterRole(role));
  else refuseInvalid(resource, role, validateClusterRoleUpdate(role, oldRole));
}

async function bindingWrite(
  index: RbacIndex,
  { as, resource, namespace }: PolicyCase,
  sent: RoleBinding,
  oldBinding?: RoleBinding,
): Promise<void> {
  const binding = structuredClone(sent);
  defaultBinding(binding);
  await checkBinding(
    {
      user: requester(as),
      binding,
      ...(namespace !== undefined && { namespace }),
      ...(oldBinding !== undefined && { oldBinding }),
    },
    sources(index),
  );
  const rules = resource === 'rolebindings' ? roleBindingRules : clusterRoleBindingRules;
  refuseInvalid(resource, binding, [
    ...validateBinding(binding, rules, oldBinding),
    ...(oldBinding === undefined ? [] : validateSameRole(binding, oldBinding)),
  ]);
}

/** Every requester is in this group, too. */
function requester(as: UserKey): UserInfo {
  return { ...users[as], groups: [...users[as].groups, 'system:authenticated'] };
}

function sources(index: RbacIndex): Parameters<typeof checkRole>[1] {
  return {
    authorize: rbacAuthorizer(index),
    rulesFor: (user, namespace) => index.rulesFor(user, namespace),
    roleOf: (ref, namespace) => index.rulesOf(ref, namespace),
  };
}

function refuseInvalid(
  resource: RbacResource,
  object: Pick<KubeObject, 'metadata'>,
  errors: Parameters<typeof invalid>[2],
): void {
  if (errors.length === 0) return;
  const kind = { group: RBAC_GROUP, kind: RBAC_KINDS[resource] };
  throw invalid(kind, object.metadata.name ?? '', errors);
}
