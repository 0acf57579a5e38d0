import { Role } from '@tributary/api/rbac-v1';
import { type FieldError, validatePathSegmentName } from '@tributary/apimachinery';
import { allow, type ResourceDefinition } from '@tributary/server';
import { defineResource, version } from '@tributary/server/definition';
import { checkRole, type EscalationSources } from '../../../rbac/escalation.ts';
import { validateRole } from '../../../rbac/validate-role.ts';
import { metadataErrors, metadataUpdateErrors } from '../../shared/object-metadata.ts';
import { COMMON } from '../shared/common.ts';
import { roleWithRules } from '../shared/plain-role.ts';

/** Creates and updates need the permissions of the role, or the verb `escalate`. */
export function roleKind(sources: EscalationSources): ResourceDefinition<Role> {
  const rules = { namespaced: true, validateName: validatePathSegmentName };
  const errorsOf = (role: Role): FieldError[] => [
    ...metadataErrors(role, rules),
    ...validateRole(roleWithRules(role)),
  ];
  return defineResource({
    ...COMMON,
    kind: 'Role',
    plural: 'roles',
    scope: 'Namespaced',
    admit: {
      create: async ({ object, user, namespace, requestName }) => {
        await checkRole({ user, role: roleWithRules(object), namespace, requestName }, sources);
        return allow;
      },
      update: async ({ object, oldObject, user, namespace, name }) => {
        const [role, oldRole] = [roleWithRules(object), roleWithRules(oldObject)];
        await checkRole({ user, role, oldRole, namespace, requestName: name }, sources);
        return allow;
      },
    },
    versions: {
      v1: version({
        typed: Role,
        validate: errorsOf,
        validateUpdate: (next, live) => [...errorsOf(next), ...metadataUpdateErrors(next, live)],
      }),
    },
  });
}
