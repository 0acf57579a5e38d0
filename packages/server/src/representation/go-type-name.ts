import type { GroupVersionKind } from '@tributary/apimachinery';

/** The name that the Go type of a kind has by convention, which some texts show: a package is named for its group. */
export function goTypeName({ group, kind }: GroupVersionKind): string {
  // Events of both groups are of one type.
  const home = group === 'events.k8s.io' ? '' : group;
  return `*${home.split('.', 1)[0] || 'core'}.${kind}`;
}
