import type { GroupVersionKind } from '@tributary/apimachinery';

/** The conventional name of a kind's Go type, which some messages contain: the package is named for the group. */
export function goTypeName({ group, kind }: GroupVersionKind): string {
  // Events of both groups share one Go type.
  const home = group === 'events.k8s.io' ? '' : group;
  return `*${home.split('.', 1)[0] || 'core'}.${kind}`;
}
