import { RoleBinding } from '@tributary/api/rbac-v1';
import { allow, type ResourceDefinition } from '@tributary/server';
import { defineResource, version } from '@tributary/server/definition';
import { defaultBinding } from '../../../rbac/default-binding.ts';
import { checkBinding, type EscalationSources } from '../../../rbac/escalation.ts';
import { roleBindingRules } from '../../../rbac/validate-binding.ts';
import { columns } from '../shared/binding-columns.ts';
import { bindingValidation } from '../shared/binding-validation.ts';
import { COMMON } from '../shared/common.ts';

/** Creates and updates need the permissions of the role, or the verb `bind`. */
export function roleBindingKind(sources: EscalationSources): ResourceDefinition<RoleBinding> {
  return defineResource({
    ...COMMON,
    kind: 'RoleBinding',
    plural: 'rolebindings',
    scope: 'Namespaced',
    admit: {
      create: async ({ object, user, namespace }) => {
        await checkBinding({ user, binding: object, namespace }, sources);
        return allow;
      },
      update: async ({ object, oldObject, user, namespace }) => {
        await checkBinding({ user, binding: object, oldBinding: oldObject, namespace }, sources);
        return allow;
      },
    },
    versions: {
      v1: version({
        typed: RoleBinding,
        columns,
        applyDefaults: defaultBinding,
        ...bindingValidation(roleBindingRules),
      }),
    },
  });
}
