import { ClusterRoleBinding, RoleBinding, type Subject } from '@tributary/api/rbac-v1';
import { type FieldError, validatePathSegmentName } from '@tributary/apimachinery';
import { allow, type ColumnInput, type ResourceDefinition } from '@tributary/server';
import { ageColumn, defineResource, nameColumn, version } from '@tributary/server/definition';
import { defaultBinding } from '../../rbac/default-binding.ts';
import { checkBinding, type EscalationSources } from '../../rbac/escalation.ts';
import {
  type BindingRules,
  clusterRoleBindingRules,
  roleBindingRules,
  validateBinding,
  validateSameRole,
} from '../../rbac/validate-binding.ts';
import { metadataErrors, metadataUpdateErrors } from '../shared/object-metadata.ts';
import { COMMON } from './common.ts';

/** All of them: those of wide output stand behind the age. */
const columns: readonly ColumnInput<RoleBinding>[] = [
  nameColumn,
  {
    name: 'Role',
    description: 'The role that is given',
    cell: ({ roleRef: { kind, name } }) => `${kind}/${name}`,
  },
  ageColumn,
  subjectsColumn('Users', 'User', ({ name }) => name),
  subjectsColumn('Groups', 'Group', ({ name }) => name),
  subjectsColumn(
    'ServiceAccounts',
    'ServiceAccount',
    ({ namespace = '', name }) => `${namespace}/${name}`,
  ),
];

function subjectsColumn(
  name: string,
  kind: string,
  shown: (subject: Subject) => string,
): ColumnInput<RoleBinding> {
  return {
    name,
    priority: 1,
    description: `${name} that have the role by it`,
    cell: ({ subjects = [] }) =>
      subjects
        .filter((subject) => subject.kind === kind)
        .map(shown)
        .join(', '),
  };
}

/** Nobody gives away a role that allows what they may not do themselves. */
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

function bindingValidation(rules: BindingRules) {
  const { namespaced } = rules;
  const metadataRules = { namespaced, validateName: validatePathSegmentName };
  return {
    validate: (binding: RoleBinding): FieldError[] => [
      ...metadataErrors(binding, metadataRules),
      ...validateBinding(binding, rules),
    ],
    validateUpdate: (next: RoleBinding, live: RoleBinding): FieldError[] => [
      ...metadataErrors(next, metadataRules),
      ...validateBinding(next, rules, live),
      ...metadataUpdateErrors(next, live),
      ...validateSameRole(next, live),
    ],
  };
}
