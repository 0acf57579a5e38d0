import { type FieldError, validatePathSegmentName } from '@tributary/apimachinery';
import {
  allow,
  type ColumnInput,
  defineResource,
  type ResourceDefinition,
  version,
} from '@tributary/server';
import { ClusterRoleBinding, RoleBinding, type Subject } from '../../generated/rbac-v1.ts';
import { defaultBinding } from '../../rbac/defaults.ts';
import { checkBinding, type EscalationSources } from '../../rbac/escalation.ts';
import {
  validateClusterRoleBinding,
  validateClusterRoleBindingUpdate,
  validateRoleBinding,
  validateRoleBindingUpdate,
} from '../../rbac/validate-binding.ts';
import { ageColumn, nameColumn } from '../columns.ts';
import { metadataErrors, metadataUpdateErrors } from '../object-metadata.ts';
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
        ...bindingRules({
          namespaced: true,
          validate: validateRoleBinding,
          validateUpdate: validateRoleBindingUpdate,
        }),
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
        ...bindingRules({
          namespaced: false,
          validate: validateClusterRoleBinding,
          validateUpdate: validateClusterRoleBindingUpdate,
        }),
      }),
    },
  });
}

interface BindingRules {
  readonly namespaced: boolean;
  readonly validate: (binding: RoleBinding) => FieldError[];
  /** Tells the same, and then what an update may not change. */
  readonly validateUpdate: (next: RoleBinding, live: RoleBinding) => FieldError[];
}

function bindingRules(given: BindingRules): Omit<BindingRules, 'namespaced'> {
  const rules = { namespaced: given.namespaced, validateName: validatePathSegmentName };
  return {
    validate: (binding) => [...metadataErrors(binding, rules), ...given.validate(binding)],
    validateUpdate: (next, live) => {
      const own = given.validate(next);
      return [
        ...metadataErrors(next, rules),
        ...own,
        ...metadataUpdateErrors(next, live),
        ...given.validateUpdate(next, live).slice(own.length),
      ];
    },
  };
}
