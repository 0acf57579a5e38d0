import type { RoleBinding, Subject } from '@tributary/api/rbac-v1';
import type { ColumnInput } from '@tributary/server';
import { ageColumn, nameColumn } from '@tributary/server/definition';

/** All columns: those of wide output are after the age. */
export const columns: readonly ColumnInput<RoleBinding>[] = [
  nameColumn,
  {
    name: 'Role',
    description: 'The role that the binding grants',
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
    description: `${name} that the binding grants the role to`,
    cell: ({ subjects = [] }) =>
      subjects
        .filter((subject) => subject.kind === kind)
        .map(shown)
        .join(', '),
  };
}
