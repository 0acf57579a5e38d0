import { ClusterRole, Role } from '@tributary/api/rbac-v1';
import { type FieldError, validatePathSegmentName } from '@tributary/apimachinery';
import { allow, type ResourceDefinition } from '@tributary/server';
import { defineResource, version } from '@tributary/server/definition';
import { checkRole, type EscalationSources } from '../../rbac/escalation.ts';
import type { ClusterRole as PlainRole } from '../../rbac/types.ts';
import {
  validateClusterRole,
  validateClusterRoleUpdate,
  validateRole,
} from '../../rbac/validate-role.ts';
import { metadataErrors, metadataUpdateErrors } from '../shared/object-metadata.ts';
import { COMMON } from './common.ts';

/** Nobody writes a role that allows what they may not do themselves. */
export function roleKind(sources: EscalationSources): ResourceDefinition<Role> {
  const rules = { namespaced: true, validateName: validatePathSegmentName };
  const errorsOf = (role: Role): FieldError[] => [
    ...metadataErrors(role, rules),
    ...validateRole(plainRole(role)),
  ];
  return defineResource({
    ...COMMON,
    kind: 'Role',
    plural: 'roles',
    scope: 'Namespaced',
    admit: {
      create: async ({ object, user, namespace, requestName }) => {
        await checkRole({ user, role: plainRole(object), namespace, requestName }, sources);
        return allow;
      },
      update: async ({ object, oldObject, user, namespace, name }) => {
        const [role, oldRole] = [plainRole(object), plainRole(oldObject)];
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

/** A rule without verbs, which is refused, has null where Go has no list. */
function plainRole({ rules, ...role }: ClusterRole | Role): PlainRole {
  return {
    ...role,
    rules: (rules ?? []).map(({ verbs, ...rule }) => ({ ...rule, ...(verbs && { verbs }) })),
  };
}
