import { ClusterRoleBinding } from '@tributary/api/rbac-v1';
import { allow, type ResourceDefinition } from '@tributary/server';
import { defineResource, version } from '@tributary/server/definition';
import { defaultBinding } from '../../../rbac/default-binding.ts';
import { checkBinding, type EscalationSources } from '../../../rbac/escalation.ts';
import { clusterRoleBindingRules } from '../../../rbac/validate-binding.ts';
import { columns } from '../shared/binding-columns.ts';
import { bindingValidation } from '../shared/binding-validation.ts';
import { COMMON } from '../shared/common.ts';

export function clusterRoleBindingKind(
  sources: EscalationSources,
): ResourceDefinition<ClusterRoleBinding> {
  return defineResource({
    ...COMMON,
    kind: 'ClusterRoleBinding',
    plural: 'clusterrolebindings',
    scope: 'Cluster',
    admit: {
      create: async ({ object, user }) => {
        await checkBinding({ user, binding: object }, sources);
        return allow;
      },
      update: async ({ object, oldObject, user }) => {
        await checkBinding({ user, binding: object, oldBinding: oldObject }, sources);
        return allow;
      },
    },
    versions: {
      v1: version({
        typed: ClusterRoleBinding,
        columns,
        applyDefaults: defaultBinding,
        ...bindingValidation(clusterRoleBindingRules),
      }),
    },
  });
}
