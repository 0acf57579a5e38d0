import { ClusterRole } from '@tributary/api/rbac-v1';
import { validatePathSegmentName } from '@tributary/apimachinery';
import { allow, type ResourceDefinition } from '@tributary/server';
import { defineResource, version } from '@tributary/server/definition';
import { checkRole, type EscalationSources } from '../../../rbac/escalation.ts';
import { validateClusterRole, validateClusterRoleUpdate } from '../../../rbac/validate-role.ts';
import { metadataErrors, metadataUpdateErrors } from '../../shared/object-metadata.ts';
import { COMMON } from '../shared/common.ts';
import { roleWithRules } from '../shared/plain-role.ts';

export function clusterRoleKind(sources: EscalationSources): ResourceDefinition<ClusterRole> {
  const rules = { namespaced: false, validateName: validatePathSegmentName };
  return defineResource({
    ...COMMON,
    kind: 'ClusterRole',
    plural: 'clusterroles',
    scope: 'Cluster',
    admit: {
      create: async ({ object, user, requestName }) => {
        await checkRole({ user, role: roleWithRules(object), requestName }, sources);
        return allow;
      },
      update: async ({ object, oldObject, user, name }) => {
        const [role, oldRole] = [roleWithRules(object), roleWithRules(oldObject)];
        await checkRole({ user, role, oldRole, requestName: name }, sources);
        return allow;
      },
    },
    versions: {
      v1: version({
        typed: ClusterRole,
        validate: (role) => [
          ...metadataErrors(role, rules),
          ...validateClusterRole(roleWithRules(role)),
        ],
        validateUpdate: (next, live) => [
          ...metadataErrors(next, rules),
          ...validateClusterRoleUpdate(roleWithRules(next), roleWithRules(live)),
          ...metadataUpdateErrors(next, live),
        ],
      }),
    },
  });
}
