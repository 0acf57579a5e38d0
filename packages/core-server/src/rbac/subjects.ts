import { goQuote } from '@tributary/apimachinery';
import type { UserInfo } from '@tributary/server';
import type { Subject } from './types.ts';

/** User and group names of subjects. Subjects of other kinds have none. */
export function subjectNames(
  subjects: readonly Subject[],
  bindingNamespace: string,
): { readonly users: ReadonlySet<string>; readonly groups: ReadonlySet<string> } {
  const users = new Set<string>();
  const groups = new Set<string>();
  for (const subject of subjects) {
    const user = userNameOf(subject, bindingNamespace);
    if (user !== undefined) users.add(user);
    if (subject.kind === 'Group') groups.add(subject.name ?? '');
  }
  return { users, groups };
}

export function isSubject(user: UserInfo, subject: Subject, bindingNamespace: string): boolean {
  if (subject.kind === 'Group') return user.groups.includes(subject.name ?? '');
  return userNameOf(subject, bindingNamespace) === user.name;
}

/** The subject in the reason of a decision. */
export function describeSubject(subject: Subject, bindingNamespace: string): string {
  const { kind = '', name = '' } = subject;
  if (kind !== 'ServiceAccount') return `${kind} ${goQuote(name)}`;
  return `${kind} ${goQuote(`${name}/${subject.namespace || bindingNamespace}`)}`;
}

/** A service account defaults to the namespace of the binding; in a ClusterRoleBinding it needs its own. */
function userNameOf(
  { kind, name = '', namespace }: Subject,
  bindingNamespace: string,
): string | undefined {
  if (kind === 'User') return name;
  if (kind !== 'ServiceAccount') return undefined;
  const accountNamespace = namespace || bindingNamespace;
  return accountNamespace === '' ? undefined : `system:serviceaccount:${accountNamespace}:${name}`;
}
