import { ClusterRole } from '@tributary/api/rbac-v1';
import { validatePathSegmentName } from '@tributary/apimachinery';
import { allow, type ResourceDefinition } from '@tributary/server';
import { defineResource, version } from '@tributary/server/definition';
import { checkRole, type EscalationSources } from '../../../rbac/escalation.ts';
import { validateClusterRole, validateClusterRoleUpdate } from '../../../rbac/validate-role.ts';
import { metadataErrors, metadataUpdateErrors } from '../../shared/object-metadata.ts';
import { COMMON } from '../shared/common.ts';
import { plainRole } from '../shared/plain-role.ts';

export function clusterRoleKind(sources: EscalationSources): ResourceDefinition<ClusterRole> {
  const rules = { namespaced: false, validateName: validatePathSegmentName };
  return defineResource({
    ...COMMON,
    kind: 'ClusterRole',
    plural: 'clusterroles',
    scope: 'Cluster',
    admit: {
      create: async ({ object, user, requestName }) => {
        await checkRole({ user, role: plainRole(object), requestName }, sources);
        return allow;
      },
      update: async ({ object, oldObject, user, name }) => {
        const [role, oldRole] = [plainRole(object), plainRole(oldObject)];
        await checkRole({ user, role, oldRole, requestName: name }, sources);
        return allow;
      },
    },
    versions: {
      v1: version({
        typed: ClusterRole,
        validate: (role) => [
          ...metadataErrors(role, rules),
          ...validateClusterRole(plainRole(role)),
        ],
        validateUpdate: (next, live) => [
          ...metadataErrors(next, rules),
          ...validateClusterRoleUpdate(plainRole(next), plainRole(live)),
          ...metadataUpdateErrors(next, live),
        ],
      }),
    },
  });
}
