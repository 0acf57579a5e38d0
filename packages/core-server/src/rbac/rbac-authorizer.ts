import { goQuote } from '@tributary/apimachinery';
import type { AccessInfo, Authorizer, Decision, UserInfo } from '@tributary/server';
import { type IndexedBinding, ruleTable } from './bound-roles.ts';
import type { RbacIndex } from './rbac-index.ts';
import { roleRefErrors } from './role-ref-errors.ts';
import { allowsPath, allowsResource, type RuleTable } from './rule-table.ts';
import { describeSubject, isSubject } from './subjects.ts';

/** Decides synchronously from the index. RBAC never denies: a later authorizer may still allow. */
export function rbacAuthorizer(index: RbacIndex): Authorizer {
  return ({ user, info }) => {
    const allows = ruleMatcher(info);
    let allowing: IndexedBinding | undefined;
    let isMissing = false;
    index.someRole(user, info.namespace, (slot, binding) => {
      const table = ruleTable(slot);
      if (table === undefined) isMissing = true;
      else if (allows(table)) allowing = binding;
      return allowing !== undefined;
    });
    if (allowing !== undefined) return { allowed: true, reason: reasonOf(allowing, user) };
    return isMissing ? missingRoleDecision(index, user, info.namespace) : { allowed: false };
  };
}

function ruleMatcher(info: AccessInfo): (table: RuleTable) => boolean {
  const { verb, path, group, resource, subresource, name } = info;
  if (!info.isResourceRequest) return (table) => allowsPath(table, { verb, path });
  const query =
    subresource === ''
      ? { verb, group, resource, anyParent: undefined, name }
      : {
          verb,
          group,
          resource: `${resource}/${subresource}`,
          anyParent: `*/${subresource}`,
          name,
        };
  return (table) => allowsResource(table, query);
}

/** Appears in audit logs and in access reviews. */
function reasonOf(binding: IndexedBinding, user: UserInfo): string {
  const { resource, object, name, namespace, roleRef } = binding;
  const kind = resource === 'rolebindings' ? 'RoleBinding' : 'ClusterRoleBinding';
  const shown = resource === 'rolebindings' ? `${name}/${namespace}` : name;
  const subject = object.subjects?.find((one) => isSubject(user, one, namespace)) ?? {};
  const role = `${roleRef.kind ?? ''} ${goQuote(roleRef.name ?? '')}`;
  return `RBAC: allowed by ${kind} ${goQuote(shown)} of ${role} to ${describeSubject(subject, namespace)}`;
}

/** The reason names missing roles, so that the user of a binding without a role learns why it has no effect. */
function missingRoleDecision(index: RbacIndex, user: UserInfo, namespace: string): Decision {
  const { missing } = index.rulesFor(user, namespace);
  return { allowed: false, reason: `RBAC: ${roleRefErrors(missing) ?? ''}` };
}
